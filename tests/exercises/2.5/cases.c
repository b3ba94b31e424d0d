#include <math.h>

#include "child.h"
#include "exercises.h"

/* Tolerance, as a share of the largest number: in float32, and from factor to factor, the last angle is off by about
 * n * 1e-7, and by 6e-8 of itself. */
static void one(const char *name, const double *z, int n, double theta, double largest)
{
    ex_case(name);
    ex_int("n", n);
    ex_real("theta", theta);
    double *inout = ex_inout_doubles("z", z, 2 * n, largest * (1e-6 + 2e-7 * n * (1 + fabs(theta))), 0);
    turn_positions(inout, n, theta);
    ex_end();
}

void exercise_cases(void)
{
    one("the example: a quarter turn a position", (const double[]){5, 6, 1, 2}, 2, 1.5707963267948966, 8);
    one("four positions of (3, -4)", (const double[]){3, -4, 3, -4, 3, -4, 3, -4}, 4, 0.1, 5);
    one("backwards", (const double[]){1, 0, 0, 1, -2, 3}, 3, -2.5, 4);
    one("real numbers only", (const double[]){1, 0, 1, 0, 1, 0, 1, 0, 1, 0}, 5, 1, 1);
    one("whole turns: nothing seems to happen", (const double[]){1, 2, 3, 4, 5, 6}, 3, 6.283185307179586, 8);
    one("zero, and a huge number", (const double[]){1, 1, 0, 0, 1e20, -1e20}, 3, 0.7, 1.5e20);
}
