#include <math.h>

#include "child.h"
#include "exercises.h"

/* float32 products and sums, and angles below 100 that may be float32 (off by 4e-6): 2e-5 of elements of order 1. */
static void one(const char *name, const float *x, const int *position, const double *frequency, int n_tokens,
                int head_dim)
{
    ex_case(name);
    ex_int("n_tokens", n_tokens);
    ex_int("head_dim", head_dim);
    ex_ints("position", position, n_tokens);
    ex_doubles("frequency", frequency, head_dim / 2);
    float *inout = ex_inout_floats("x", x, n_tokens * head_dim, 2e-5, 2e-5);
    turn_interleaved(inout, position, frequency, n_tokens, head_dim);
    ex_end();
}

void exercise_cases(void)
{
    const double quarter = acos(-1.0) / 2;
    one("the example", (float[]){1, 2, 3, 4}, (int[]){1}, (double[]){quarter, 2 * quarter}, 1, 4);
    /* theta 10000: -1.142639664 1.922075597 2.959850668 4.029799502 */
    one("position 1 with theta 10000", (float[]){1, 2, 3, 4}, (int[]){1}, (double[]){1, 0.01}, 1, 4);
    one("one token far from the start", (float[]){1, 2, 3, -4, 5, 6}, (int[]){97}, (double[]){1, 0.046416, 0.0021544}, 1,
        6);
    one("one pair: head_dim 2, three tokens", (float[]){1, 0, 0, 1, 3, -4}, (int[]){3, 4, 5}, (double[]){1}, 3, 2);
    one("two packed sequences: the second begins again", (float[]){1, 2, 3, 4, 4, 3, 2, 1, -1, 1, -1, 1, 2, 0, 0, 2},
        (int[]){0, 1, 0, 1}, (double[]){1, 0.01}, 4, 4);
    one("zeros and a huge element", (float[]){0, 0, 1e30f, 0}, (int[]){2}, (double[]){1, 0.5}, 1, 4);
}
