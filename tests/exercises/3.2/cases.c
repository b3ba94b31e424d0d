#include <math.h>

#include "child.h"
#include "exercises.h"

/* A float32 cosine is rounded by up to 6e-8; an angle reduced to one turn and then held in float32 adds 1.2e-7.
 * 1e-6 lets both pass; a float32 angle out of many turns is off by far more in the last three cases. */
static void one(const char *name, const double *frequency, int n_pairs, int position)
{
    ex_case(name);
    ex_doubles("frequency", frequency, n_pairs);
    ex_int("position", position);
    float *cosine = ex_out_floats("cosine", n_pairs, 1e-6, 0);
    float *sine = ex_out_floats("sine", n_pairs, 1e-6, 0);
    cos_sin_row(cosine, sine, frequency, n_pairs, position);
    ex_end();
}

void exercise_cases(void)
{
    one("the example: position 2", (double[]){1, 0.5}, 2, 2);
    one("position 0: no turn", (double[]){1, 0.01}, 2, 0);
    one("one pair, a negative position", (double[]){1}, 1, -3);
    one("three pairs that turn alike", (double[]){1, 1, 1}, 3, 7);
    double frequency[8]; /* every fourth pair of Qwen2.5 */
    for (int i = 0; i < 8; i++) {
        frequency[i] = pow(1e6, -i / 8.0);
    }
    one("Qwen2.5's frequencies, position 100", frequency, 8, 100);
    /* head_dim 32, theta 10000, pair 1: the cosine is 0.306693 (the angle 1044.26784) */
    one("position 1857", (double[]){pow(1e4, -2.0 / 32)}, 1, 1857);
    one("Qwen2.5's frequencies, position 131071", frequency, 8, 131071);
    one("more tokens than a float counts", (double[]){1, 0.001}, 2, 16777217);
}
