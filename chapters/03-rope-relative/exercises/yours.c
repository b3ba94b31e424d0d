/* make chapter3-yours && ./chapter3-yours: the walk-through's checks with your functions beside the project's. */
#include "../../yours.h"
#include "common/rope.h"
#include "exercises.h"

struct functions {
    void (*inverse_frequencies)(double *frequency, int head_dim, double theta);
};

static double frequency_of(const void *functions, int pair)
{
    const struct functions *f = functions;
    double frequency[32];
    f->inverse_frequencies(frequency, 64, 1e6);
    return frequency[pair];
}

static double frequency_1(const void *functions)
{
    return frequency_of(functions, 1);
}

static double frequency_31(const void *functions)
{
    return frequency_of(functions, 31);
}

int main(void)
{
    static const struct yours_check checks[] = {
        {NULL, "One angle per pair (step 1): head_dim 64, theta 1000000", NULL, 0},
        {"3.1", "radians a token, pair 1", frequency_1, 1e-6},
        {"3.1", "radians a token, pair 31", frequency_31, 1e-12},
        {NULL, NULL, NULL, 0},
    };
    const struct functions yours = {inverse_frequencies};
    const struct functions project = {rope_inv_freq};
    return yours_run("Chapter 3 with your functions", checks, &yours, &project);
}
