#include <stdint.h>

#include "child.h"
#include "exercises.h"

/* Integers, below 5^20 < 2^53: exact in a double, and nothing is let pass. Known from ./chapter2 --step 4: m 2, n 5 gives
 * -73125, 27500 on both sides. */
static void one(const char *name, int m, int n)
{
    int64_t left[2] = {0, 0}, right[2] = {0, 0};
    ex_case(name);
    ex_int("m", m);
    ex_int("n", n);
    two_sides(left, right, m, n);
    double *sent_left = ex_out_doubles("left", 2, 0, 0);
    double *sent_right = ex_out_doubles("right", 2, 0, 0);
    for (int i = 0; i < 2; i++) {
        sent_left[i] = (double)left[i];
        sent_right[i] = (double)right[i];
    }
    ex_end();
}

void exercise_cases(void)
{
    one("the example: m 1, n 1", 1, 1);
    one("m 0", 0, 3);
    one("m 1, n 2", 1, 2);
    one("m 2, n 5", 2, 5);
    one("m 4, n 4", 4, 4);
    one("m 7, n 13", 7, 13);
}
