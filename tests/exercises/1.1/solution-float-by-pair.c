#include <math.h>

#include "exercises.h"

/* In float32, and each frequency from the one before. */
void encode_positions(double *rows, const int *positions, int n, int d_model)
{
    float ratio = powf(10000, -2.0f / (float)d_model);
    for (int r = 0; r < n; r++) {
        double *row = rows + r * d_model;
        float frequency = 1;
        for (int i = 0; i < d_model; i += 2) {
            float angle = (float)positions[r] * frequency;
            row[i] = sinf(angle);
            if (i + 1 < d_model) {
                row[i + 1] = cosf(angle);
            }
            frequency *= ratio;
        }
    }
}
