#include "exercises.h"

void feed_forward(double *y, const double *x, const double *w_up, const double *b_up, const double *w_down,
                  const double *b_down, int n_tokens, int d_model, int d_ff, double *hidden)
{
    for (int token = 0; token < n_tokens; token++) {
        for (int h = 0; h < d_ff; h++) {
            double sum = b_up[h];
            for (int i = 0; i < d_model; i++) {
                sum += w_up[h * d_model + i] * x[token * d_model + i];
            }
            hidden[h] = sum;
        }
        for (int o = 0; o < d_model; o++) {
            double sum = b_down[o];
            for (int h = 0; h < d_ff; h++) {
                sum += w_down[o * d_ff + h] * hidden[h];
            }
            y[token * d_model + o] = sum > 0 ? sum : 0;
        }
    }
}
