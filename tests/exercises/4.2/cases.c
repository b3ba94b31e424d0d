#include "child.h"
#include "exercises.h"

enum { MAX_D_FF = 8 };

/* Two sums of at most eight products, in float32 and any order: 1e-6 of the largest term, which is below 20. */
static void one(const char *name, const double *x, const double *w_up, const double *b_up,
                const double *w_down, const double *b_down, int n_tokens, int d_model, int d_ff)
{
    double hidden[MAX_D_FF] = {0};
    ex_case(name);
    ex_int("n_tokens", n_tokens);
    ex_int("d_model", d_model);
    ex_int("d_ff", d_ff);
    ex_doubles("x", x, n_tokens * d_model);
    ex_doubles("w_up", w_up, d_ff * d_model);
    ex_doubles("b_up", b_up, d_ff);
    ex_doubles("w_down", w_down, d_model * d_ff);
    ex_doubles("b_down", b_down, d_model);
    double *y = ex_out_doubles("y", n_tokens * d_model, 2e-5, 1e-5);
    feed_forward(y, x, w_up, b_up, w_down, b_down, n_tokens, d_model, d_ff, hidden);
    ex_end();
}

void exercise_cases(void)
{
    static const double w_up[] = {1, 0, 0, 1, -1, -1};
    static const double w_down[] = {1, 1, 1, 2, 0, 5};
    static const double zero[MAX_D_FF] = {0};
    static const double tall[] = {0.5, -1.5, 2, 1, 0.25, -2, -0.75, 3, -1, 1.25};
    static const double wide[] = {1, -0.5, 0.75, 2, -1, 0.5, 3, -2, 0.25, 1.5};
    one("the example", (const double[]){1, 2}, w_up, (const double[]){0, 1, 1}, w_down,
        (const double[]){10, 20}, 1, 2, 3);
    one("two tokens", (const double[]){1, 2, -3, 0.5}, w_up, (const double[]){0, 1, 1}, w_down,
        (const double[]){10, 20}, 2, 2, 3);
    one("d_ff 5, biases below 0", (const double[]){0.5, -1}, tall, (const double[]){-0.5, 0.25, -1, 2, -3},
        wide, (const double[]){-4, -0.125}, 1, 2, 5);
    one("the same, three tokens", (const double[]){0.5, -1, 0, 0, -2, 1.5}, tall,
        (const double[]){-0.5, 0.25, -1, 2, -3}, wide, (const double[]){-4, -0.125}, 3, 2, 5);
    one("d_model 1, all channels closed", (const double[]){2}, (const double[]){-1, -2}, zero,
        (const double[]){3, 4}, (const double[]){-0.5}, 1, 1, 2);
    one("narrower inside: d_ff 1", (const double[]){1, -2, 3}, (const double[]){2, 0.5, 1},
        (const double[]){0.5}, (const double[]){1, -1, 0.5}, zero, 1, 3, 1);
}
