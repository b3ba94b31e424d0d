#include "child.h"
#include "exercises.h"

static void one(const char *name, const int *n_padding, int n_rows, int n_cached, int n_new)
{
    ex_case(name);
    ex_ints("n_padding", n_padding, n_rows);
    ex_int("n_cached", n_cached);
    ex_int("n_new", n_new);
    int *position = ex_out_ints("position", n_rows * n_new);
    token_positions(position, n_padding, n_rows, n_cached, n_new);
    ex_end();
}

void exercise_cases(void)
{
    one("the example, prefill", (int[]){2, 0}, 2, 0, 5);
    one("the example, first decoded token", (int[]){2, 0}, 2, 5, 1);
    one("one row, no padding, prefill of 9", (int[]){0}, 1, 0, 9);
    one("the token after these 9", (int[]){0}, 1, 9, 1);
    one("a prompt in two pieces: the second", (int[]){0}, 1, 3, 4);
    one("padding reaches into the second piece", (int[]){5, 1, 0}, 3, 4, 3);
    one("one token long, the rest is padding", (int[]){3}, 1, 0, 4);
    one("far out", (int[]){1000, 7}, 2, 131071, 1);
}
