#include "exercises.h"

void predict_model(double *answer)
{
    answer[0] = 2754432;
    answer[1] = 1;
    answer[2] = 5.5;
    answer[3] = 3072;
}
