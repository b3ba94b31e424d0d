#include <math.h>

#include "exercises.h"

void predict_cost(double *answer)
{
    const int d_model = 10;
    const int d_ff = 64;
    double width = ceil(d_ff * 2 / 3.0);
    answer[0] = 2 * d_model * d_ff;
    answer[1] = width;
    answer[2] = width / d_model;
    answer[3] = 3 * d_model * width;
}
