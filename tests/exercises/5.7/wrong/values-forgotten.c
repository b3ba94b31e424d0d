#include "exercises.h"

void predict_block(double *answer)
{
    answer[0] = 48;
    answer[1] = 192;
    answer[2] = 64;
    answer[3] = 55;
    answer[4] = 0.25;
}
