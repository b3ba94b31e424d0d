#include <math.h>

#include "exercises.h"

void compose(double *both, const double *first, const double *second)
{
    float angle = atan2f((float)first[1], (float)first[0]) + atan2f((float)second[1], (float)second[0]);
    both[0] = cosf(angle);
    both[1] = sinf(angle);
}
