#include "exercises.h"

void predict_gate(double *answer)
{
    answer[0] = 1.5;
    answer[1] = 0.807;
    answer[2] = 3;
    answer[3] = 0;
    answer[4] = -2.193;
}
