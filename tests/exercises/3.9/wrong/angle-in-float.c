#include <math.h>
#include <stdlib.h>

#include "exercises.h"

double score_at(const double *q, const double *k, int head_dim, const double *frequency, int m, int n)
{
    double score = 0;
    for (int i = 0; i < head_dim / 2; i++) {
        int j = i + head_dim / 2;
        float a = (float)m * (float)frequency[i], b = (float)n * (float)frequency[i];
        score += (q[i] * cosf(a) - q[j] * sinf(a)) * (k[i] * cosf(b) - k[j] * sinf(b));
        score += (q[i] * sinf(a) + q[j] * cosf(a)) * (k[i] * sinf(b) + k[j] * cosf(b));
    }
    return score;
}
