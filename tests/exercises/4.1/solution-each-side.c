#include <math.h>

#include "exercises.h"

/* Each form on the side where its exponential cannot overflow. */
void sigmoid_and_silu(double *sigmoid, double *silu, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        if (x[i] >= 0) {
            sigmoid[i] = 1 / (1 + exp(-x[i]));
        } else {
            sigmoid[i] = exp(x[i]) / (1 + exp(x[i]));
        }
        silu[i] = sigmoid[i] == 0 ? 0 : x[i] * sigmoid[i];
    }
}
