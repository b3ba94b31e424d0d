#include <math.h>

#include "exercises.h"

void predict_scores(double *answer)
{
    answer[0] = answer[2] = cos(8);
    answer[1] = cos(208);
    answer[3] = answer[4] = sin(8);
    answer[5] = cos(14);
}
