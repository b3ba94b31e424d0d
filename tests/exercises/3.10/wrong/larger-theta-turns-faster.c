#include <math.h>

#include "exercises.h"

void predict_turns(double *answer)
{
    answer[0] = 0.1;
    answer[1] = 62.83;
    answer[2] = 20.61;
    answer[3] = 3;
    answer[4] = 3;
}
