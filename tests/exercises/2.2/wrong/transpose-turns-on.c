#include <math.h>

#include "exercises.h"

void predict_angles(double *answer)
{
    answer[0] = -2.7831853;
    answer[1] = 1.5;
    answer[2] = -1.2831853;
    answer[3] = -1.2831853;
    answer[4] = 3;
}
