#include "child.h"
#include "exercises.h"

/* float32: 1e-6 of the largest term, which is below 10. d_ff is never below d_model, so that the fault reads inside w. */
static void one(const char *name, const double *x, const double *w, int d_model, int d_ff)
{
    ex_case(name);
    ex_int("d_model", d_model);
    ex_int("d_ff", d_ff);
    ex_doubles("x", x, d_model);
    ex_doubles("w", w, 2 * d_ff * d_model);
    double *hidden = ex_out_doubles("hidden", d_ff, 1e-5, 1e-5);
    hidden_from_fused(hidden, x, w, d_model, d_ff);
    ex_end();
}

void exercise_cases(void)
{
    static const double w[] = {0.5, -1, 2, 0.25, -0.5, 1.5, 1, 2, -1, 0.5, 3, -2, -0.25, 0.75, 1.25, -1.5};
    one("the example: d_model 1, d_ff 2", (const double[]){1}, (const double[]){1.0986122886681098, 0, 4, 5},
        1, 2);
    one("the author's test: d_model 2, d_ff 2", (const double[]){1, -0.5}, w, 2, 2);
    one("d_model 2, d_ff 4", (const double[]){-1, 0.5}, w, 2, 4);
    /* gate (-1, 0, 2), up (2, 5, -3): -0.53788284, 0, -5.28478247 */
    one("d_model 1, d_ff 3", (const double[]){1}, (const double[]){-1, 0, 2, 2, 5, -3}, 1, 3);
}
