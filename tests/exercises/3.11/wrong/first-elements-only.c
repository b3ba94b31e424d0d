#include <math.h>

#include "exercises.h"

void predict_scores(double *answer)
{
    answer[0] = answer[2] = cos(5) * cos(3);
    answer[1] = cos(105) * cos(103);
    answer[3] = -cos(5) * sin(3);
    answer[4] = -cos(3) * sin(5);
    answer[5] = cos(7) * cos(7);
}
