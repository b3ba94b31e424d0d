#include <math.h>

#include "exercises.h"

void predict_waves(double *answer)
{
    answer[0] = 6.28319;
    answer[1] = 19.8692;
    answer[2] = 62.8319;
    answer[3] = 0.0316228;
    answer[4] = 4;
}
