#include <math.h>

#include "exercises.h"

void cos_sin_row(float *cosine, float *sine, const double *frequency, int n_pairs, int position)
{
    const double turn = 2 * acos(-1.0);
    for (int i = n_pairs - 1; i >= 0; i--) {
        float within_one_turn = (float)remainder(position * frequency[i], turn);
        cosine[i] = cosf(within_one_turn);
        sine[i] = sinf(within_one_turn);
    }
}
