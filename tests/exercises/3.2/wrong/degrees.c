#include <math.h>

#include "exercises.h"

void cos_sin_row(float *cosine, float *sine, const double *frequency, int n_pairs, int position)
{
    for (int i = 0; i < n_pairs; i++) {
        double angle = position * frequency[i] * acos(-1.0) / 180;
        cosine[i] = (float)cos(angle);
        sine[i] = (float)sin(angle);
    }
}
