#include <math.h>

#include "exercises.h"

void masked_softmax(double *weight, const double *score, const int *visible, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        weight[i] = visible[i] ? exp(score[i]) : 0;
        sum += weight[i];
    }
    for (int i = 0; i < n; i++) {
        weight[i] /= sum;
    }
}
