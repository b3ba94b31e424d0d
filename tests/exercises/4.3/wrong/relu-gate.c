#include <math.h>

#include "exercises.h"

void gated_layer(double *y, const double *x, const double *w_gate, const double *w_up, const double *w_down,
                 int d_model, int d_ff)
{
    for (int o = 0; o < d_model; o++) {
        y[o] = 0;
    }
    for (int h = 0; h < d_ff; h++) {
        double gate = 0;
        double up = 0;
        for (int i = 0; i < d_model; i++) {
            gate += w_gate[h * d_model + i] * x[i];
            up += w_up[h * d_model + i] * x[i];
        }
        double hidden = fmax(0, gate) * up;
        for (int o = 0; o < d_model; o++) {
            y[o] += w_down[o * d_ff + h] * hidden;
        }
    }
}
