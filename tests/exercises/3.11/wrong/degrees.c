#include <math.h>

#include "exercises.h"

void predict_scores(double *answer)
{
    answer[0] = answer[1] = answer[2] = 0.999;
    answer[3] = 0.035;
    answer[4] = -0.035;
    answer[5] = 1;
}
