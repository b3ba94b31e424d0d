#include <math.h>

#include "child.h"
#include "exercises.h"

/* e^x in float32 is good to 1e-7 of itself for the small differences here; weights are at most 1: absolute 2e-6. */
static void one(const char *name, const double *score, const int *visible, int n)
{
    ex_case(name);
    ex_doubles("score", score, n);
    ex_ints("visible", visible, n);
    double *weight = ex_out_doubles("weight", n, 2e-6, 0);
    masked_softmax(weight, score, visible, n);
    ex_end();
}

void exercise_cases(void)
{
    static const int all[] = {1, 1, 1, 1};
    one("the example", (const double[]){0, 1.0986122886681098, 5}, (const int[]){1, 1, 0}, 3);
    one("a row that sees nothing", (const double[]){1, 2, 3}, (const int[]){0, 0, 0}, 3);
    /* .66524096, .24472847, .09003057 and .73105858, .26894142: only the differences count. */
    one("scores near 1000", (const double[]){1000, 999, 998}, all, 3);
    one("scores near -1000", (const double[]){-1000, -1001}, all, 2);
    one("scores near -5000", (const double[]){-5000, -5001}, all, 2);
    one("the hidden score is the largest", (const double[]){2000, 0, 1, -1}, (const int[]){0, 1, 0, 1}, 4);
    one("the hidden scores are NaN", (const double[]){NAN, 0.5, NAN, -2}, (const int[]){0, 1, 0, 1}, 4);
    one("one key only", (const double[]){-7}, all, 1);
    one("one visible key of three", (const double[]){1, -3, 2}, (const int[]){0, 1, 0}, 3);
}
