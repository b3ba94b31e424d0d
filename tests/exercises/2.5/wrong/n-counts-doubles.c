#include <math.h>

#include "exercises.h"

void turn_positions(double *z, int n, double theta)
{
    for (int p = 0; p < n / 2; p++) {
        double c = cos(p * theta), s = sin(p * theta);
        double x = z[2 * p], y = z[2 * p + 1];
        z[2 * p] = c * x - s * y;
        z[2 * p + 1] = c * y + s * x;
    }
}
