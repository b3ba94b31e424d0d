#include <math.h>

#include "exercises.h"

void cos_sin_row(float *cosine, float *sine, const double *frequency, int n_pairs, int position)
{
    for (int i = 0; i < n_pairs; i++) {
        cosine[i] = (float)cos((position + 1) * frequency[i]);
        sine[i] = (float)sin((position + 1) * frequency[i]);
    }
}
