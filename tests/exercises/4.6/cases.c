#include "child.h"
#include "exercises.h"

/* float32 is good to 1e-6 of the largest term, which is below 20; a central difference in float64 to 1e-8. */
static void one(const char *name, const double *grad_hidden, const double *gate, const double *up, int n)
{
    ex_case(name);
    ex_doubles("grad_hidden", grad_hidden, n);
    ex_doubles("gate", gate, n);
    ex_doubles("up", up, n);
    double *grad_gate = ex_out_doubles("grad_gate", n, 1e-5, 1e-5);
    gate_gradient(grad_gate, grad_hidden, gate, up, n);
    ex_end();
}

void exercise_cases(void)
{
    static const double ones[] = {1, 1, 1, 1, 1, 1, 1};
    one("the example: gate ln 3", (const double[]){4}, (const double[]){1.0986122886681098},
        (const double[]){2}, 1);
    /* SiLU' itself. 0 at SiLU's minimum; 0.5 at 0; above 1 on the right, below 0 on the left. */
    one("up and grad_hidden 1", ones, (const double[]){-3, -1.278464542761074, -1, 0, 1, 2.4, 5}, ones, 7);
    one("all signs", (const double[]){-1.5, 0.25, 2, -0.5}, (const double[]){-2, 0.5, 1.5, -0.75},
        (const double[]){3, -2, -0.5, 4}, 4);
    one("up 0: the gate learns nothing", (const double[]){5, -3}, (const double[]){1, -2},
        (const double[]){0, 0}, 2);
    one("gates of -800 and 800", (const double[]){2, 2}, (const double[]){-800, 800}, (const double[]){3, 3},
        2);
}
