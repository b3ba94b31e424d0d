#include <math.h>

#include "exercises.h"

void inverse_frequencies(double *frequency, int head_dim, double theta)
{
    for (int i = 0; i < head_dim / 2; i++) {
        frequency[i] = pow(theta, -(double)i / head_dim);
    }
}
