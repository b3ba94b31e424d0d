#include <math.h>

#include "child.h"
#include "exercises.h"

enum { CAPACITY = 8 };

/* Cosines in float32, sums of two products of numbers up to 3: 1e-5. keys[s] is {k0, k1} turned by s radians. */
static void one(const char *name, int n_used, const double *k_before, const double *q, const double *k)
{
    double before[2 * CAPACITY];
    for (int s = 0; s < CAPACITY; s++) {
        double x = k_before[0], y = k_before[1];
        before[2 * s] = s < n_used ? cos(s) * x - sin(s) * y : NAN;
        before[2 * s + 1] = s < n_used ? sin(s) * x + cos(s) * y : NAN;
    }
    ex_case(name);
    ex_doubles("q", q, 2);
    ex_doubles("k", k, 2);
    int *used = ex_inout_ints("n_used", &n_used, 1);
    double *keys = ex_inout_doubles("keys", before, 2 * CAPACITY, 1e-5, 0);
    double *score = ex_out_doubles("score", n_used + 1, 1e-5, 0);
    decode_scores(score, keys, used, q, k);
    ex_end();
}

void exercise_cases(void)
{
    static const double unit[] = {1, 0};
    one("an empty cache", 0, unit, unit, unit);
    /* score[3] is of positions 5 and 3: cos 2 = -0.4161468365. One too far would be cos 3 = -0.9899924966. */
    one("the sixth token", 5, unit, unit, unit);
    one("another query than key", 2, (const double[]){0.5, -1}, (const double[]){2, 1},
        (const double[]){-1, 3});
    one("a query of zeros", 1, unit, (const double[]){0, 0}, (const double[]){1, 2});
}
