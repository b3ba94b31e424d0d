#include "child.h"
#include "exercises.h"

/* A mean of a few squares in float32 is good to 1e-6 of itself, in any order: relative 5e-6 after root and products. */
static void one(const char *name, const double *x, const double *weight, int n, double eps)
{
    ex_case(name);
    ex_doubles("x", x, n);
    ex_doubles("weight", weight, n);
    ex_real("eps", eps);
    double *out = ex_out_doubles("out", n, 0, 5e-6);
    scale_by_rms(out, x, weight, n, eps);
    ex_end();
}

void exercise_cases(void)
{
    static const double ones[] = {1, 1, 1, 1, 1};
    static const double weight[] = {1, 2, -0.5, 0, 3};
    one("the example", (const double[]){1, 7}, weight, 2, 0);
    /* Small vectors show where eps stands: 0.70710678 and 0.30151134. */
    one("a small vector, eps 1e-6", (const double[]){1e-3, 1e-3}, ones, 2, 1e-6);
    one("the same, eps 1e-5", (const double[]){1e-3, 1e-3}, ones, 2, 1e-5);
    one("zeros", (const double[]){0, 0, 0}, ones, 3, 1e-6);
    one("one negative element", (const double[]){-5}, (const double[]){0.5}, 1, 1e-6);
    one("odd width, weights of all signs", (const double[]){3, -1, 4, 1, -5}, weight, 5, 1e-6);
    one("huge elements", (const double[]){1e15, -2e15, 2e15}, ones, 3, 1e-6);
}
