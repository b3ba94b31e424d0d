#include <math.h>

#include "exercises.h"

static double score_of(const double *q, const double *key, int head_dim)
{
    double dot = 0;
    for (int i = 0; i < head_dim; i++) {
        dot += q[i] * key[i];
    }
    return dot / sqrt(head_dim);
}

void attend_to_cache(double *out, const double *q, const double *keys, const double *values, int kv_head,
                     int capacity, int n_used, int head_dim)
{
    const double *k = keys + kv_head * capacity * head_dim;
    const double *v = values + kv_head * capacity * head_dim;
    double largest = 0, sum = 0;
    for (int i = 0; i < head_dim; i++) {
        out[i] = 0;
    }
    for (int s = 0; s < n_used; s++) {
        largest = fmax(largest, score_of(q, k + s * head_dim, head_dim));
    }
    for (int s = 0; s < n_used; s++) {
        double e = exp(score_of(q, k + s * head_dim, head_dim) - largest);
        sum += e;
        for (int i = 0; i < head_dim; i++) {
            out[i] += e * v[s * head_dim + i];
        }
    }
    for (int i = 0; i < head_dim; i++) {
        out[i] /= sum;
    }
}
