#include "exercises.h"

void predict_gate(double *answer)
{
    answer[0] = 0;
    answer[1] = -2.193;
    answer[2] = 60;
    answer[3] = -60;
    answer[4] = -2.193;
}
