#include <math.h>

#include "child.h"
#include "exercises.h"

/* Known from elsewhere, in float64: {3, -4} by 0.1 is {3.38434616242139, -3.680516411171619}, by 100 radians
 * {0.5614940524240164, -4.9683724124800115}.
 * Tolerance, as a share of the length: in float32 the angle is off by 6e-8 of itself, cosine and sine by as much. */
static void one(const char *name, double x, double y, double angle)
{
    ex_case(name);
    ex_real("angle", angle);
    double *point =
        ex_inout_doubles("point", (const double[]){x, y}, 2, 1e-6 * hypot(x, y) * (1 + fabs(angle)), 0);
    turn_point(point, angle);
    ex_end();
}

void exercise_cases(void)
{
    one("the example: a quarter turn", 3, -4, 1.5707963267948966);
    one("a small angle", 3, -4, 0.1);
    one("many turns: 100 radians", 3, -4, 100);
    one("backwards", 1, 0, -2.5);
    one("no turn", 2, 7, 0);
    one("zero stays zero", 0, 0, 1);
    one("huge values", 1e30, -2e30, 0.7);
    one("tiny values", 1e-30, 1e-30, 3);
}
