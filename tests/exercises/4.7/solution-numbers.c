#include "exercises.h"

void predict_gate(double *answer)
{
    answer[0] = 0;
    answer[1] = -0.807;
    answer[2] = 60;
    answer[3] = 0;
    answer[4] = -2.193;
}
