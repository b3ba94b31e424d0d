#include <math.h>

#include "exercises.h"

/* Turns v in place, in float32. */
static void turn(float *v, int position)
{
    float c = cosf((float)position), s = sinf((float)position), x = v[0];
    v[0] = c * x - s * v[1];
    v[1] = s * x + c * v[1];
}

void decode_scores(double *score, double *keys, int *n_used, const double *q, const double *k)
{
    float query[2] = {(float)q[0], (float)q[1]}, key[2] = {(float)k[0], (float)k[1]};
    ++*n_used;
    turn(query, *n_used - 1);
    turn(key, *n_used - 1);
    keys[2 * *n_used - 2] = key[0];
    keys[2 * *n_used - 1] = key[1];
    for (int s = *n_used - 1; s >= 0; s--) {
        score[s] = query[0] * keys[2 * s] + query[1] * keys[2 * s + 1];
    }
}
