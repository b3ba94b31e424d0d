#include <math.h>
#include <stdlib.h>

#include "exercises.h"

double score_at(const double *q, const double *k, int head_dim, const double *frequency, int m, int n)
{
    double score = 0;
    for (int i = 0; i < head_dim / 2; i++) {
        double angle = (m + n) * frequency[i];
        double a = q[i], b = q[i + head_dim / 2], c = k[i], d = k[i + head_dim / 2];
        score += (a * c + b * d) * cos(angle) + (b * c - a * d) * sin(angle);
    }
    return score;
}
