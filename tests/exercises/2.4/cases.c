#include <math.h>

#include "child.h"
#include "exercises.h"

/* The point before is known: (x, y). 4e-6 of its length lets float32 pass. */
static void one(const char *name, double x, double y, double angle, double scale)
{
    double a = scale * cos(angle), c = scale * sin(angle);
    const double matrix[4] = {a, -c, c, a}, after[2] = {a * x - c * y, c * x + a * y};
    ex_case(name);
    ex_doubles("matrix", matrix, 4);
    double *point = ex_inout_doubles("point", after, 2, 4e-6 * hypot(x, y), 0);
    turn_back(point, matrix);
    ex_end();
}

void exercise_cases(void)
{
    ex_case("the example: the matrix of 3 + 4i");
    const double matrix[4] = {3, -4, 4, 3}, after[2] = {2, 11};
    ex_doubles("matrix", matrix, 4);
    double *point = ex_inout_doubles("point", after, 2, 1e-5, 0);
    turn_back(point, matrix);
    ex_end();
    one("a rotation without a scale", 3, -4, 0.7, 1);
    one("a quarter turn, doubled", 1, 5, 1.5707963267948966, 2);
    one("backwards, shrunk to a thousandth", -2, 0.5, -2.2, 1e-3);
    one("a scale alone", 7, -3, 0, 10);
    one("a large scale", 1, 1, 2.5, 1e10);
    one("zero comes from zero", 0, 0, 1, 3);
}
