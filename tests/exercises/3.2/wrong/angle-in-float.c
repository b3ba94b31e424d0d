#include <math.h>

#include "exercises.h"

void cos_sin_row(float *cosine, float *sine, const double *frequency, int n_pairs, int position)
{
    for (int i = 0; i < n_pairs; i++) {
        float angle = (float)position * (float)frequency[i];
        cosine[i] = cosf(angle);
        sine[i] = sinf(angle);
    }
}
