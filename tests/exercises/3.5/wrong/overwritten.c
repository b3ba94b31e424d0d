#include <math.h>

#include "exercises.h"

void turn_interleaved(float *x, const int *position, const double *frequency, int n_tokens, int head_dim)
{
    for (int t = 0; t < n_tokens; t++) {
        for (int i = 0; i < head_dim / 2; i++) {
            double angle = position[t] * frequency[i];
            float *pair = x + t * head_dim + 2 * i;
            pair[0] = (float)(pair[0] * cos(angle) - pair[1] * sin(angle));
            pair[1] = (float)(pair[0] * sin(angle) + pair[1] * cos(angle));
        }
    }
}
