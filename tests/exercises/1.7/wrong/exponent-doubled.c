#include <math.h>

#include "exercises.h"

void predict_unseen(double *answer)
{
    answer[0] = 3;
    answer[1] = 2;
    answer[2] = 2;
    answer[3] = 1;
    answer[4] = 0.001;
}
