#include <math.h>

#include "exercises.h"

void turn_interleaved(float *x, const int *position, const double *frequency, int n_tokens, int head_dim)
{
    for (int i = 0; i < head_dim / 2; i++) {
        for (int t = n_tokens - 1; t >= 0; t--) {
            float angle = (float)(position[t] * frequency[i]);
            float cosine = cosf(angle), sine = sinf(angle);
            float *a = &x[t * head_dim + 2 * i], *b = a + 1;
            float turned = *b * cosine + *a * sine;
            *a = *a * cosine - *b * sine;
            *b = turned;
        }
    }
}
