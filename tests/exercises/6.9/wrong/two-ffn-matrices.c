#include "exercises.h"

void predict_model(double *answer)
{
    answer[0] = 2167104;
    answer[1] = 1;
    answer[2] = 4.3;
    answer[3] = 3072;
}
