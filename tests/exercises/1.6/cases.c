#include <math.h>

#include "child.h"
#include "exercises.h"

/* 1e-6: 1 / (1 - rate) may be rounded to float32 before it is multiplied. */
static void one(const char *name, const float *x, const float *u, int n, float rate, int training)
{
    ex_case(name);
    ex_floats("x", x, n);
    ex_floats("u", u, n);
    ex_real("rate", (double)rate);
    ex_int("training", training);
    float *out = ex_out_floats("out", n, 0, 1e-6);
    drop_out(out, x, u, n, rate, training);
    ex_end();
}

void exercise_cases(void)
{
    const float x[] = {3, -8, 0.5f, 1e30f, -7}, u[] = {0.1f, 0.9f, 0, 0.6f, 0.5f};
    one("the example", (const float[]){3, 3}, (const float[]){0.1f, 0.9f}, 2, 0.25f, 1);
    one("training, half is dropped; one u is the rate itself", x, u, 5, 0.5f, 1);
    one("inference", x, u, 5, 0.5f, 0);
    one("rate 0 drops nothing", x, u, 5, 0, 1);
    one("a dropped infinity is 0", (const float[]){INFINITY, 2}, (const float[]){0.05f, 0.99f}, 2, 0.1f, 1);
}
