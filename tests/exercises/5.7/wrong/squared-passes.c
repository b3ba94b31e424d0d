#include "exercises.h"

void predict_block(double *answer)
{
    answer[0] = 48;
    answer[1] = 384;
    answer[2] = 128;
    answer[3] = 100;
    answer[4] = 0.25;
}
