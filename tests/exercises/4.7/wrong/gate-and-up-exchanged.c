#include "exercises.h"

void predict_gate(double *answer)
{
    answer[0] = 0;
    answer[1] = -2.858;
    answer[2] = 57.155;
    answer[3] = -57.155;
    answer[4] = -0.142;
}
