#include <math.h>

#include "exercises.h"

void cos_sin_row(float *cosine, float *sine, const double *frequency, int n_pairs, int position)
{
    for (int i = 0; i < n_pairs; i++) {
        cosine[i] = (float)sin(position * frequency[i]);
        sine[i] = (float)cos(position * frequency[i]);
    }
}
