#include <math.h>

#include "exercises.h"

void predict_unseen(double *answer)
{
    answer[0] = 1;
    answer[1] = 0;
    answer[2] = 0;
    answer[3] = 0;
    answer[4] = 1;
}
