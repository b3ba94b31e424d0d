#include "child.h"
#include "exercises.h"

/* All sums that are compared with top_p are exact in float32; one quotient: 1e-6. */
static void one(const char *name, const double *probability, int n, double top_p)
{
    ex_case(name);
    ex_doubles("probability", probability, n);
    ex_real("top_p", top_p);
    double *out = ex_out_doubles("out", n, 1e-6, 0);
    cut_to_top_p(out, probability, n, top_p);
    ex_end();
}

void exercise_cases(void)
{
    static const double mixed[] = {0.125, 0.5, 0.25, 0.125};
    static const double even[] = {0.25, 0.25, 0.25, 0.25};
    static const double falling[] = {0.5, 0.25, 0.1875, 0.0625};
    one("the example", mixed, 4, 0.7);
    one("reached exactly", mixed, 4, 0.75);
    one("less than the likeliest alone", mixed, 4, 0.1);
    one("all", mixed, 4, 1);
    one("equally likely", even, 4, 0.5);
    one("in falling order already", falling, 4, 0.8);
    one("one token", (const double[]){1}, 1, 0.9);
    one("one is certain", (const double[]){0, 0, 1}, 3, 0.95);
}
