#include <math.h>
#include <string.h>

#include "child.h"
#include "exercises.h"

enum { MOST = 64 };

/* The cache is filled as a right program would have left it: the key of position j turned by j. Angles below 20 and
 * elements of order 1, so 1e-4 lets float32 pass. */
static void one(const char *name, int n_cached, int head_dim, const double *frequency)
{
    double cache[MOST] = {0}, q[MOST], k[MOST];
    int half = head_dim / 2;
    for (int i = 0; i < head_dim; i++) {
        q[i] = head_dim == 2 ? (i == 0) : sin(1.7 * i + 1);
        k[i] = head_dim == 2 ? (i == 0) : cos(2.3 * i + 2);
    }
    for (int j = 0; j < n_cached; j++) {
        for (int i = 0; i < half; i++) { /* keys of length 1 in every plane, at angles of their own */
            double angle = (head_dim == 2 ? 0 : i + 0.5 * j) + j * frequency[i];
            cache[j * head_dim + i] = cos(angle);
            cache[j * head_dim + i + half] = sin(angle);
        }
    }
    ex_case(name);
    ex_int("n_cached", n_cached);
    ex_int("head_dim", head_dim);
    ex_doubles("frequency", frequency, half);
    ex_doubles("q", q, head_dim);
    ex_doubles("k", k, head_dim);
    double *after = ex_inout_doubles("cache", cache, (n_cached + 1) * head_dim, 1e-4, 1e-4);
    double *score = ex_out_doubles("score", n_cached + 1, 1e-4, 1e-4);
    score_new_token(score, after, q, k, n_cached, head_dim, frequency);
    ex_end();
}

void exercise_cases(void)
{
    one("the example", 1, 2, (double[]){1});
    one("the first token of all", 0, 2, (double[]){1});
    one("three tokens before", 3, 4, (double[]){1, 0.1});
    one("an odd number of pairs, six tokens before", 6, 6, (double[]){1, 0.3, 0.09});
    one("a slow pair only: nearly no turn", 2, 2, (double[]){0.001});
}
