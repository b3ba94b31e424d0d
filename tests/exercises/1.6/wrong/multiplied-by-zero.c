#include "exercises.h"

void drop_out(float *out, const float *x, const float *u, int n, float rate, int training)
{
    for (int i = 0; i < n; i++) {
        if (!training) {
            out[i] = x[i];
        } else {
            float kept = u[i] >= rate;
            out[i] = x[i] * kept / (1 - rate);
        }
    }
}
