#include <math.h>

#include "exercises.h"

void turn_positions(double *z, int n, double theta)
{
    for (int p = 0; p < n; p++) {
        double c = cos(theta), s = sin(theta);
        double x = z[2 * p], y = z[2 * p + 1];
        z[2 * p] = c * x - s * y;
        z[2 * p + 1] = c * y + s * x;
    }
}
