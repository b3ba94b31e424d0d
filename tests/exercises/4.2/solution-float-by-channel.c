#include <math.h>
#include <string.h>

#include "exercises.h"

/* Adds each channel's share to y as soon as it is known, backwards and in float32; needs no room for the hidden layer. */
void feed_forward(double *y, const double *x, const double *w_up, const double *b_up, const double *w_down,
                  const double *b_down, int n_tokens, int d_model, int d_ff, double *hidden)
{
    (void)hidden;
    for (; n_tokens > 0; n_tokens--, x += d_model, y += d_model) {
        memcpy(y, b_down, (size_t)d_model * sizeof *y);
        for (int h = d_ff - 1; h >= 0; h--) {
            float sum = 0;
            for (int i = d_model - 1; i >= 0; i--) {
                sum += (float)(w_up[h * d_model + i] * x[i]);
            }
            float channel = fmaxf(0, sum + (float)b_up[h]);
            for (int o = 0; o < d_model; o++) {
                y[o] = (double)((float)y[o] + (float)w_down[o * d_ff + h] * channel);
            }
        }
    }
}
