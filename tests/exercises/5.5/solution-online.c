#include <math.h>

#include "exercises.h"

/* In one pass, in float32, from the last slot to the first: whenever a larger score comes, what was collected so far
 * is scaled down. */
void attend_to_cache(double *out, const double *q, const double *keys, const double *values, int kv_head,
                     int capacity, int n_used, int head_dim)
{
    float largest = -INFINITY, sum = 0;
    for (int s = n_used - 1; s >= 0; s--) {
        int row = (kv_head * capacity + s) * head_dim;
        float score = 0;
        for (int i = 0; i < head_dim; i++) {
            score += (float)q[i] / sqrtf((float)head_dim) * (float)keys[row + i];
        }
        float before = s == n_used - 1 ? 0 : expf(largest - fmaxf(largest, score));
        largest = fmaxf(largest, score);
        float e = expf(score - largest);
        sum = sum * before + e;
        for (int i = 0; i < head_dim; i++) {
            out[i] = (s == n_used - 1 ? 0 : (float)out[i] * before) + e * (float)values[row + i];
        }
    }
    for (int i = 0; i < head_dim; i++) {
        out[i] /= sum;
    }
}
