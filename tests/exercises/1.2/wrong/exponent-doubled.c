#include <math.h>

#include "exercises.h"

void predict_waves(double *answer)
{
    answer[0] = 6.28319;
    answer[1] = 628.319;
    answer[2] = 62831.9;
    answer[3] = 1e-6;
    answer[4] = 4;
}
