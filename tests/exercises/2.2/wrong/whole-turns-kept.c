#include <math.h>

#include "exercises.h"

void predict_angles(double *answer)
{
    answer[0] = 3.5;
    answer[1] = -1.5;
    answer[2] = 5;
    answer[3] = 2;
    answer[4] = 0;
}
