#include <complex.h>

#include "exercises.h"

/* With C's own complex numbers, and each factor from the one before. */
void turn_positions(double *z, int n, double theta)
{
    const double complex step = cexp(I * theta);
    double complex factor = 1;
    for (int p = 0; p < n; p++) {
        double complex turned = factor * (z[2 * p] + I * z[2 * p + 1]);
        z[2 * p] = creal(turned);
        z[2 * p + 1] = cimag(turned);
        factor *= step;
    }
}
