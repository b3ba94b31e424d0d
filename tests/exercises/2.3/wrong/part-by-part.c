#include <math.h>

#include "exercises.h"

void compose(double *both, const double *first, const double *second)
{
    double cosine = first[0] * second[0];
    double sine = first[1] * second[1];
    both[0] = cosine;
    both[1] = sine;
}
