#include <math.h>

#include "exercises.h"

/* theta^(-2i/d) = e^(-2i/d ln theta), each step a multiplication by the same ratio. */
void inverse_frequencies(double *frequency, int head_dim, double theta)
{
    double ratio = exp(-2.0 / head_dim * log(theta));
    double value = 1;
    for (int i = 0; i < head_dim / 2; i++) {
        frequency[i] = value;
        value *= ratio;
    }
}
