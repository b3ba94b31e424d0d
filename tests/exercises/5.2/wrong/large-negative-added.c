#include <math.h>

#include "exercises.h"

void masked_softmax(double *weight, const double *score, const int *visible, int n)
{
    double largest = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++) {
        weight[i] = score[i] + (1 - visible[i]) * -1e9;
        largest = fmax(largest, weight[i]);
    }
    for (int i = 0; i < n; i++) {
        weight[i] = exp(weight[i] - largest);
        sum += weight[i];
    }
    for (int i = 0; i < n; i++) {
        weight[i] /= sum;
    }
}
