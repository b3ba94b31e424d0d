#include <math.h>

#include "exercises.h"

void masked_softmax(double *weight, const double *score, const int *visible, int n)
{
    double largest = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++) {
        if ((visible[i] ? score[i] : -1e9) > largest) {
            largest = visible[i] ? score[i] : -1e9;
        }
    }
    for (int i = 0; i < n; i++) {
        weight[i] = exp((visible[i] ? score[i] : -1e9) - largest);
        sum += weight[i];
    }
    for (int i = 0; i < n; i++) {
        weight[i] /= sum;
    }
}
