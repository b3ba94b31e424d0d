#include "child.h"
#include "exercises.h"

/* Signs and places only: exact, but float is let pass (a relative 1e-6). */
static void one(const char *name, const double *x, int head_dim)
{
    ex_case(name);
    double *inout = ex_inout_doubles("x", x, head_dim, 0, 1e-6);
    rotate_half(inout, head_dim);
    ex_end();
}

void exercise_cases(void)
{
    one("the example", (double[]){1, 2, 3, 4}, 4);
    one("one pair: head_dim 2", (double[]){5, 7}, 2);
    one("an odd number of pairs: head_dim 6", (double[]){1, -2, 3, -4, 5, -6}, 6);
    one("zeros in the first half", (double[]){0, 0, 0, 8, 9, 10}, 6);
    double real_size[128];
    for (int i = 0; i < 128; i++) {
        real_size[i] = i % 2 == 0 ? i + 1 : -i - 1;
    }
    one("a head of a real model: head_dim 128", real_size, 128);
    one("huge and tiny", (double[]){1e30, -1e-30, 3, 1e25, 2e-20, -1e30, 4, -7}, 8);
}
