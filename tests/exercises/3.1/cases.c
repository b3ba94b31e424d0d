#include "child.h"
#include "exercises.h"

/* pow in float64 is good to a few units in the last place; float32 is let pass: 1e-6. */
static void one(const char *name, int head_dim, double theta)
{
    ex_case(name);
    ex_int("head_dim", head_dim);
    ex_real("theta", theta);
    double *frequency = ex_out_doubles("frequency", head_dim / 2, 0, 1e-6);
    inverse_frequencies(frequency, head_dim, theta);
    ex_end();
}

void exercise_cases(void)
{
    one("the example: head_dim 4, theta 10000", 4, 1e4);
    one("one pair only: head_dim 2", 2, 1e4);
    one("Qwen2.5: theta 1000000", 64, 1e6);
    one("an odd number of pairs: head_dim 6", 6, 1e4);
    one("theta 1: all pairs turn alike", 8, 1);
    one("theta below 1", 8, 0.5);
}
