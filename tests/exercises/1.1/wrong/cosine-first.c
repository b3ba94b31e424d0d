#include <math.h>

#include "exercises.h"

void encode_positions(double *rows, const int *positions, int n, int d_model)
{
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < d_model; j++) {
            double angle = positions[r] * pow(10000, -2.0 * (j / 2) / d_model);
            rows[r * d_model + j] = j % 2 == 0 ? cos(angle) : sin(angle);
        }
    }
}
