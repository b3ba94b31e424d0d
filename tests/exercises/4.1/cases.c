#include <math.h>

#include "child.h"
#include "exercises.h"

/* exp in float32 is good to 1e-6 of its value, a little more far out. smallest is absolute: below float32's range 0 is
 * let pass, 1e-37, but for the case that asks for a double's range. */
static void within(const char *name, const double *x, int n, double smallest)
{
    ex_case(name);
    ex_doubles("x", x, n);
    double *sigmoid = ex_out_doubles("sigmoid", n, smallest, 1e-5);
    double *silu = ex_out_doubles("silu", n, smallest, 1e-5);
    sigmoid_and_silu(sigmoid, silu, x, n);
    ex_end();
}

static void one(const char *name, const double *x, int n)
{
    within(name, x, n, 1e-37);
}

void exercise_cases(void)
{
    one("the example: 0 and ln 3", (const double[]){0, 1.0986122886681098}, 2);
    /* SiLU(-1) = -0.2689414214; its minimum is -0.2784645428, at -1.278464543 (step 1 of the chapter). */
    one("around 0", (const double[]){-3, -1.278464542761074, -1, -0.5, 0.5, 1, 3}, 7);
    one("the left tail", (const double[]){-20, -40, -80}, 3);
    one("far right", (const double[]){40, 100, 800, 1e30}, 4);
    one("far left", (const double[]){-100, -800, -1e30}, 3);
    /* 5.148e-131 and 9.860e-305 */
    within("left of float32's range", (const double[]){-300, -700}, 2, 0);
    one("the limits", (const double[]){INFINITY, -INFINITY}, 2);
}
