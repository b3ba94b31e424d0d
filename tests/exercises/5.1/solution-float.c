#include <math.h>

#include "exercises.h"

/* In float32, from the last element to the first, the mean taken element by element. */
void scale_by_rms(double *out, const double *x, const double *weight, int n, double eps)
{
    float mean = 0;
    for (int i = n - 1; i >= 0; i--) {
        mean += (float)x[i] / (float)n * (float)x[i];
    }
    float root = sqrtf(mean + (float)eps);
    for (int i = 0; i < n; i++) {
        out[i] = (float)weight[i] * (float)x[i] / root;
    }
}
