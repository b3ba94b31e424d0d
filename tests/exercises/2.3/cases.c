#include <math.h>

#include "child.h"
#include "exercises.h"

/* 1e-6: float32 and the way through the angles are let pass. */
static void one(const char *name, double a, double b)
{
    const double first[2] = {cos(a), sin(a)}, second[2] = {cos(b), sin(b)};
    ex_case(name);
    ex_doubles("first", first, 2);
    ex_doubles("second", second, 2);
    double *both = ex_out_doubles("both", 2, 1e-6, 0);
    compose(both, first, second);
    ex_end();
}

void exercise_cases(void)
{
    ex_case("the example: two quarter turns");
    const double quarter[2] = {0, 1};
    ex_doubles("first", quarter, 2);
    ex_doubles("second", quarter, 2);
    double *both = ex_out_doubles("both", 2, 1e-6, 0);
    compose(both, quarter, quarter);
    ex_end();
    one("0.7 and 0.3 radians", 0.7, 0.3);
    one("on and back: 1.2 and -1.2", 1.2, -1.2);
    one("more than a turn: 5 and 3", 5, 3);
    one("no turn, then -2", 0, -2);
    one("two backwards: -0.4 and -1.1", -0.4, -1.1);
    const double first[2] = {0.8, 0.6}, second[2] = {0.6, -0.8};
    ex_case("both is the array first");
    ex_doubles("second", second, 2);
    double *in_place = ex_inout_doubles("first,both", first, 2, 1e-6, 0);
    compose(in_place, in_place, second);
    ex_end();
    ex_case("both is the array second");
    ex_doubles("first", first, 2);
    in_place = ex_inout_doubles("second,both", second, 2, 1e-6, 0);
    compose(in_place, first, in_place);
    ex_end();
    ex_case("all three are one array");
    in_place = ex_inout_doubles("first,second,both", first, 2, 1e-6, 0);
    compose(in_place, in_place, in_place);
    ex_end();
}
