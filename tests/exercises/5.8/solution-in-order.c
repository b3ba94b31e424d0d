#include <math.h>

#include "exercises.h"

static void rotate(double *out, const double *v, double angle)
{
    out[0] = cos(angle) * v[0] - sin(angle) * v[1];
    out[1] = sin(angle) * v[0] + cos(angle) * v[1];
}

void decode_scores(double *score, double *keys, int *n_used, const double *q, const double *k)
{
    double rotated_q[2];
    int position = *n_used;
    *n_used += 1;
    rotate(&keys[2 * position], k, position);
    rotate(rotated_q, q, position);
    for (int s = 0; s < *n_used; s++) {
        score[s] = rotated_q[0] * keys[2 * s] + rotated_q[1] * keys[2 * s + 1];
    }
}
