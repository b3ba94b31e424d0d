#include <math.h>

#include "exercises.h"

void predict_turns(double *answer)
{
    answer[0] = 0.1;
    answer[1] = 10;
    answer[2] = 129.5;
    answer[3] = 3;
    answer[4] = 2;
}
