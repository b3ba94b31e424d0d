#include <math.h>

#include "exercises.h"

void masked_softmax(double *weight, const double *score, const int *visible, int n)
{
    double largest = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, score[i]);
    }
    for (int i = 0; i < n; i++) {
        weight[i] = exp(score[i] - largest);
        sum += weight[i];
    }
    for (int i = 0; i < n; i++) {
        weight[i] = visible[i] ? weight[i] / sum : 0;
    }
}
