#include "child.h"
#include "exercises.h"

static void one(const char *name, int n_new, int n_cached)
{
    ex_case(name);
    ex_int("n_new", n_new);
    ex_int("n_cached", n_cached);
    int *visible = ex_out_ints("visible", n_new * (n_cached + n_new)); /* exact */
    causal_mask(visible, n_new, n_cached);
    ex_end();
}

void exercise_cases(void)
{
    one("the example: 2 behind 2", 2, 2);
    one("prefill: 4 behind nothing", 4, 0);
    one("decode: 1 behind 5", 1, 5);
    one("the first token of all", 1, 0);
    one("a second piece: 3 behind 5", 3, 5);
    one("more new than cached: 4 behind 1", 4, 1);
}
