#include "exercises.h"

void predict_block(double *answer)
{
    answer[0] = 96;
    answer[1] = 768;
    answer[2] = 768;
    answer[3] = 55;
    answer[4] = 0.25;
}
