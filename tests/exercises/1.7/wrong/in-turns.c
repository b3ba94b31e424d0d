#include <math.h>

#include "exercises.h"

void predict_unseen(double *answer)
{
    answer[0] = 2;
    answer[1] = 1;
    answer[2] = 1;
    answer[3] = 0;
    answer[4] = 0.159155;
}
