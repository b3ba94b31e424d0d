#include <math.h>

#include "exercises.h"

static double silu(double a)
{
    return a / (1 + exp(-a));
}

void predict_gate(double *answer)
{
    const double gate[] = {0, -1, 20, -20, 1};
    const double up[] = {3, 3, 3, 3, -3};
    for (int i = 0; i < 5; i++) {
        answer[i] = silu(gate[i]) * up[i];
    }
}
