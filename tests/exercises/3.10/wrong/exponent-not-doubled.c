#include <math.h>

#include "exercises.h"

void predict_turns(double *answer)
{
    answer[0] = 0.316;
    answer[1] = 19.87;
    answer[2] = 115.9;
    answer[3] = 3;
    answer[4] = 3;
}
