#include "exercises.h"

void predict_cost(double *answer)
{
    answer[0] = 1354;
    answer[1] = 43;
    answer[2] = 4.3;
    answer[3] = 1386;
}
