#include "child.h"
#include "exercises.h"

/* float32 throughout: 1e-6 of the largest term, which is below 10 in all cases but the last, exact, one. */
static void one(const char *name, const double *x, const double *w_gate, const double *w_up,
                const double *w_down, int d_model, int d_ff)
{
    ex_case(name);
    ex_int("d_model", d_model);
    ex_int("d_ff", d_ff);
    ex_doubles("x", x, d_model);
    ex_doubles("w_gate", w_gate, d_ff * d_model);
    ex_doubles("w_up", w_up, d_ff * d_model);
    ex_doubles("w_down", w_down, d_model * d_ff);
    double *y = ex_out_doubles("y", d_model, 1e-5, 1e-5);
    gated_layer(y, x, w_gate, w_up, w_down, d_model, d_ff);
    ex_end();
}

void exercise_cases(void)
{
    static const double first_half[] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    static const double second_half[] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
    static const double back[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    static const double gate[] = {0.5, -1, 2, 0.25, -0.5, 1.5};
    static const double up[] = {1, 2, -1, 0.5, 3, -2};
    static const double down[] = {1, -2, 0.5, 0.25, 1.5, -1};
    one("the example", (const double[]){-1, 2}, (const double[]){1, 0}, (const double[]){0, 1},
        (const double[]){1, 10}, 2, 1);
    /* Step 2 of the chapter: gate (-1, 0, 2), up (2, 5, -3) gives -0.53788284, 0, -5.28478247. */
    one("matrices that only copy", (const double[]){-1, 0, 2, 2, 5, -3}, first_half, second_half, back, 6, 3);
    one("d_model 2, d_ff 3", (const double[]){0.5, -1}, gate, up, down, 2, 3);
    one("d_model 3, d_ff 2", (const double[]){1, 0.5, -0.75}, gate, up, down, 3, 2);
    one("a zero vector", (const double[]){0, 0, 0}, gate, up, down, 3, 2);
    one("gates of -1000 and 1000", (const double[]){1, -1000}, (const double[]){0, 1, 0, -1},
        (const double[]){3, 0, 2, 0}, (const double[]){1, 0, 0, 1}, 2, 2);
}
