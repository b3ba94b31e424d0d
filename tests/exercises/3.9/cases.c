#include "child.h"
#include "exercises.h"

/* float32 products and angles below 100 radians are off by 4e-6 of |q| |k| < 100: 1e-3 lets them pass. The last case
 * wants its angles in double (or their difference taken first), which the exercise says. */
static void one(const char *name, const double *q, const double *k, int head_dim, const double *frequency, int m, int n)
{
    ex_case(name);
    ex_doubles("q", q, head_dim);
    ex_doubles("k", k, head_dim);
    ex_doubles("frequency", frequency, head_dim / 2);
    ex_int("m", m);
    ex_int("n", n);
    ex_result_real("score", score_at(q, k, head_dim, frequency, m, n), 1e-3, 1e-5);
    ex_end();
}

void exercise_cases(void)
{
    const double x[] = {1, 0}, y[] = {0, 1}, q[] = {1, 2, -1, 0.5, 3, -2}, k[] = {2, -1, 1, 4, 0.5, 1},
                 frequency[] = {1, 0.3, 0.09};
    one("the example", x, y, 2, (double[]){1}, 5, 3);
    one("the other way round", x, y, 2, (double[]){1}, 3, 5);
    one("the same vector: cos 2 = -0.4161468365", x, x, 2, (double[]){1}, 5, 3);
    one("three pairs", q, k, 6, frequency, 7, 3);
    one("three pairs, both 40 further: the same", q, k, 6, frequency, 47, 43);
    one("the key after the query", q, k, 6, frequency, 2, 11);
    one("the same position: q . k", q, k, 6, frequency, 9, 9);
    one("a query of zeros", (double[]){0, 0, 0, 0}, k, 4, frequency, 3, 1);
    one("a million tokens out", q, k, 6, (double[]){0.7, 0.3, 0.09}, 1000003, 1000000);
}
