#include <math.h>

#include "exercises.h"

void sigmoid_and_silu(double *sigmoid, double *silu, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        sigmoid[i] = x[i] < -88 ? 0 : 1 / (1 + exp(-x[i])); /* where a float's exponential ends */
        silu[i] = sigmoid[i] == 0 ? 0 : x[i] * sigmoid[i];
    }
}
