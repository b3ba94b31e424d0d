#include <math.h>

#include "exercises.h"

void scale_by_rms(double *out, const double *x, const double *weight, int n, double eps)
{
    double sum = 0;
    (void)eps;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    for (int i = 0; i < n; i++) {
        out[i] = weight[i] * x[i] / sqrt(sum / n);
    }
}
