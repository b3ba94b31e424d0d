#include <math.h>

#include "exercises.h"

void turn_interleaved(float *x, const int *position, const double *frequency, int n_tokens, int head_dim)
{
    for (int t = 0; t < n_tokens; t++) {
        for (int i = 0; i < head_dim / 2; i++) {
            double angle = position[0] * frequency[i];
            float *pair = x + t * head_dim + 2 * i;
            float a = pair[0], b = pair[1];
            pair[0] = (float)(a * cos(angle) - b * sin(angle));
            pair[1] = (float)(a * sin(angle) + b * cos(angle));
        }
    }
}
