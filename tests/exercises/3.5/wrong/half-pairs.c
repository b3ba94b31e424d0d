#include <math.h>

#include "exercises.h"

void turn_interleaved(float *x, const int *position, const double *frequency, int n_tokens, int head_dim)
{
    int half = head_dim / 2;
    for (int t = 0; t < n_tokens; t++) {
        for (int i = 0; i < half; i++) {
            double angle = position[t] * frequency[i];
            float *pair = x + t * head_dim + i;
            float a = pair[0], b = pair[half];
            pair[0] = (float)(a * cos(angle) - b * sin(angle));
            pair[half] = (float)(a * sin(angle) + b * cos(angle));
        }
    }
}
