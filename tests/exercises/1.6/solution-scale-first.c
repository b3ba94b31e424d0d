#include <string.h>

#include "exercises.h"

void drop_out(float *out, const float *x, const float *u, int n, float rate, int training)
{
    float scale = 1.0f / (1.0f - rate);
    memcpy(out, x, (unsigned)n * sizeof *x);
    for (int i = 0; i < n && training; i++) {
        out[i] = u[i] < rate ? 0 : out[i] * scale;
    }
}
