#include "exercises.h"

void predict_block(double *answer)
{
    int head_dim = 96 / 6;
    answer[0] = 3 * head_dim;
    answer[1] = 2 * 3 * head_dim * 4;
    answer[2] = 2 * 1 * head_dim * 4;
    answer[3] = 0;
    for (int token = 1; token <= 10; token++) {
        answer[3] += token;
    }
    answer[4] = 1 / 4.0;
}
