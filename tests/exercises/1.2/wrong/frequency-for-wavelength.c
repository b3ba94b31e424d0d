#include <math.h>

#include "exercises.h"

void predict_waves(double *answer)
{
    answer[0] = 1;
    answer[1] = 0.1;
    answer[2] = 0.01;
    answer[3] = 0.001;
    answer[4] = 4;
}
