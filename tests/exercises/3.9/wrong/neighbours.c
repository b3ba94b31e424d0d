#include <math.h>
#include <stdlib.h>

#include "exercises.h"

double score_at(const double *q, const double *k, int head_dim, const double *frequency, int m, int n)
{
    double score = 0;
    for (int i = 0; i < head_dim / 2; i++) {
        double angle = (n - m) * frequency[i];
        double a = q[2 * i], b = q[2 * i + 1], c = k[2 * i], d = k[2 * i + 1];
        score += (a * c + b * d) * cos(angle) + (b * c - a * d) * sin(angle);
    }
    return score;
}
