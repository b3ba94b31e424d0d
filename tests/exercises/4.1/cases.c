#include <math.h>

#include "child.h"
#include "exercises.h"

/* exp in float32 is good to 1e-6 of its value, a little more far out; below float32's range 0 is let pass: 1e-37. */
static void one(const char *name, const double *x, int n)
{
    ex_case(name);
    ex_doubles("x", x, n);
    double *sigmoid = ex_out_doubles("sigmoid", n, 1e-37, 1e-5);
    double *silu = ex_out_doubles("silu", n, 1e-37, 1e-5);
    sigmoid_and_silu(sigmoid, silu, x, n);
    ex_end();
}

void exercise_cases(void)
{
    one("the example: 0 and ln 3", (const double[]){0, 1.0986122886681098}, 2);
    /* SiLU(-1) = -0.2689414214; its minimum is -0.2784645428, at -1.278464543 (step 1 of the chapter). */
    one("around 0", (const double[]){-3, -1.278464542761074, -1, -0.5, 0.5, 1, 3}, 7);
    one("the left tail", (const double[]){-20, -40, -80}, 3);
    one("far right", (const double[]){40, 100, 800, 1e30}, 4);
    one("far left", (const double[]){-100, -800, -1e30}, 3);
    one("the limits", (const double[]){INFINITY, -INFINITY}, 2);
}
