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
    turn(cache + n_cached * head_dim, k, n_cached, head_dim, frequency);
    for (int j = n_cached; j >= 0; j--) { /* q . R_-m (R_j k): the key is turned back by the query's position */
        double back[64], sum = 0;
        turn(back, cache + j * head_dim, -n_cached, head_dim, frequency);
        for (int i = head_dim - 1; i >= 0; i--) {
            sum += back[i] * q[i];
        }
        score[j] = sum;
    }
}
