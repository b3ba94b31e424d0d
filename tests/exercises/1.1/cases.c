#include "child.h"
#include "exercises.h"

/* The first two cases are known from elsewhere: computed in float64, 10 digits.
 *     d_model 4, position 1: .8414709848 .5403023059 .0099998333 .9999500004
 *     d_model 5, position 1: .8414709848 .5403023059 .0251162229 .9996845379 .0006309573
 * Tolerance: frequency and angle in float32 are off by about 2e-7 of the angle, and no angle is above the position. */
static void one(const char *name, const int *positions, int n, int d_model)
{
    double largest = 0;
    for (int r = 0; r < n; r++) {
        largest = positions[r] > largest ? positions[r] : largest;
    }
    ex_case(name);
    ex_ints("positions", positions, n);
    ex_int("d_model", d_model);
    double *rows = ex_out_doubles("rows", n * d_model, 1e-6 + 5e-7 * largest, 0);
    encode_positions(rows, positions, n, d_model);
    ex_end();
}

void exercise_cases(void)
{
    one("the example: d_model 4, position 1", (const int[]){1}, 1, 4);
    one("an odd width: d_model 5, position 1", (const int[]){1}, 1, 5);
    one("positions 3, 0 and 7, in this order", (const int[]){3, 0, 7}, 3, 6);
    one("one element only: d_model 1", (const int[]){2, 5}, 2, 1);
    one("one pair only: d_model 2", (const int[]){4, 9}, 2, 2);
    one("far out: position 100000", (const int[]){100000}, 1, 8);
}
