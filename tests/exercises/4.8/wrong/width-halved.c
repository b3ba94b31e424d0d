#include "exercises.h"

void predict_cost(double *answer)
{
    answer[0] = 1280;
    answer[1] = 32;
    answer[2] = 3.2;
    answer[3] = 960;
}
