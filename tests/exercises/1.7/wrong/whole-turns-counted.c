#include <math.h>

#include "exercises.h"

void predict_unseen(double *answer)
{
    answer[0] = 2;
    answer[1] = 3;
    answer[2] = 3;
    answer[3] = 4;
    answer[4] = 1;
}
