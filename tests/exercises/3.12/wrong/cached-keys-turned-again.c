#include <math.h>

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

void score_new_token(double *score, double *cache, const double *q, const double *k, int n_cached, int head_dim,
                     const double *frequency)
{
    double turned_q[64], turned_k[64];
    turn(turned_q, q, n_cached, head_dim, frequency);
    turn(cache + n_cached * head_dim, k, n_cached, head_dim, frequency);
    for (int j = 0; j <= n_cached; j++) {
        turn(turned_k, cache + j * head_dim, j, head_dim, frequency);
        score[j] = 0;
        for (int i = 0; i < head_dim; i++) {
            score[j] += turned_q[i] * turned_k[i];
        }
    }
}
