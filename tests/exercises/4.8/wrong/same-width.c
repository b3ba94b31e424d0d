#include "exercises.h"

void predict_cost(double *answer)
{
    answer[0] = 1280;
    answer[1] = 64;
    answer[2] = 6.4;
    answer[3] = 1920;
}
