#include <math.h>

#include "exercises.h"

void predict_waves(double *answer)
{
    answer[0] = 6.28319;
    answer[1] = 62.8319;
    answer[2] = 628.319;
    answer[3] = 0.001;
    answer[4] = 8;
}
