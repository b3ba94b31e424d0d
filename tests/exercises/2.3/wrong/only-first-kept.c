#include "exercises.h"

/* Keeps what it needs of first, but second may be the array both as well. */
void compose(double *both, const double *first, const double *second)
{
    double cosine = first[0], sine = first[1];
    both[0] = cosine * second[0] - sine * second[1];
    both[1] = sine * second[0] + cosine * second[1];
}
