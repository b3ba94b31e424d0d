/* Exercise 3.12: debug: scores with a cache
 *
 * One token is decoded: its key goes into the cache, and its query is scored against all keys so far, its own included.
 * The function below has ONE fault: some scores do not depend on the distance alone. Find it and fix it.
 *
 * score      [n_cached + 1], the score with each key
 * cache      [n_cached + 1, head_dim]: row j is the key of the token at position j, rotated already. The last row is
 *            free: the new key goes there, rotated like the others.
 * q, k       [head_dim], the new token's query and key, not rotated yet; head_dim is at most 64
 * frequency  [head_dim / 2], radians per token
 * n_cached   how many tokens came before, so the position of the new one
 *
 * By hand: head_dim 2, frequency {1}, n_cached 1, cache row 0 = (1, 0), q = k = (1, 0). The new token stands at 1: its
 * key is stored as (cos 1, sin 1) = (0.540, 0.841), and score = {cos 1, 1} = {0.540, 1}.
 *
 * Check it with:  make exercise EX=3.12 */
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

void score_new_token(double *score, double *cache, const double *q, const double *k, int n_cached,
                     int head_dim, const double *frequency)
{
    EXERCISE_TODO("find the fault, fix it, then delete this line");
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
