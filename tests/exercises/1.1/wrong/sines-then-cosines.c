#include <math.h>

#include "exercises.h"

void encode_positions(double *rows, const int *positions, int n, int d_model)
{
    int n_sines = d_model / 2 + d_model % 2;
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < d_model; j++) {
            int pair = j < n_sines ? j : j - n_sines;
            double angle = positions[r] * pow(10000, -2.0 * pair / d_model);
            rows[r * d_model + j] = j < n_sines ? sin(angle) : cos(angle);
        }
    }
}
