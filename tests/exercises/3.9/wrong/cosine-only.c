#include <math.h>
#include <stdlib.h>

#include "exercises.h"

double score_at(const double *q, const double *k, int head_dim, const double *frequency, int m, int n)
{
    double score = 0;
    for (int i = 0; i < head_dim / 2; i++) {
        int j = i + head_dim / 2;
        score += (q[i] * k[i] + q[j] * k[j]) * cos((n - m) * frequency[i]);
    }
    return score;
}
