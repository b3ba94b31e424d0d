#include <math.h>

#include "exercises.h"

void masked_softmax(double *weight, const double *score, const int *visible, int n)
{
    double largest = -1e3, sum = 0;
    for (int i = 0; i < n; i++) {
        if (visible[i] && score[i] > largest) {
            largest = score[i];
        }
    }
    for (int i = 0; i < n; i++) {
        weight[i] = visible[i] ? exp(score[i] - largest) : 0;
        sum += weight[i];
    }
    for (int i = 0; i < n && sum > 0; i++) {
        weight[i] /= sum;
    }
}
