#include <math.h>

#include "exercises.h"

void compose(double *both, const double *first, const double *second)
{
    both[0] = first[0] * second[0] - first[1] * second[1];
    both[1] = first[1] * second[0] + first[0] * second[1];
}
