#include "exercises.h"

void predict_cost(double *answer)
{
    answer[0] = 1280;
    answer[1] = 42;
    answer[2] = 4.2;
    answer[3] = 1260;
}
