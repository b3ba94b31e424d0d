#include <math.h>
#include <stdlib.h>

#include "exercises.h"

/* The half layout: (x[i], x[i + half]) turned by position * frequency[i]. */
static void turn(double *out, const double *x, int position, int head_dim, const double *frequency)
{
    int half = head_dim / 2;
    for (int i = 0; i < half; i++) {
        double cosine = cos(position * frequency[i]), sine = sin(position * frequency[i]);
        double a = x[i], b = x[i + half];
        out[i] = a * cosine - b * sine;
        out[i + half] = a * sine + b * cosine;
    }
}

double score_at(const double *q, const double *k, int head_dim, const double *frequency, int m, int n)
{
    double turned_q[64], turned_k[64], score = 0;
    turn(turned_q, q, m, head_dim, frequency);
    turn(turned_k, k, n, head_dim, frequency);
    for (int i = 0; i < head_dim; i++) {
        score += turned_q[i] * turned_k[i];
    }
    return score;
}
