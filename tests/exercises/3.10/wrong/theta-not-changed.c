#include <math.h>

#include "exercises.h"

void predict_turns(double *answer)
{
    answer[0] = 0.001;
    answer[1] = 6283;
    answer[2] = 0.0206;
    answer[3] = 1;
    answer[4] = 1;
}
