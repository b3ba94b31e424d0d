#include <math.h>

#include "exercises.h"

void predict_turns(double *answer)
{
    const double turn = 2 * acos(-1.0);
    answer[0] = pow(100, -2 * 2 / 8.0);
    answer[1] = turn / answer[0];
    answer[2] = 4096 * pow(100, -2 * 3 / 8.0) / turn;
    for (int pair = 0; pair < 4; pair++) {
        if (4096 * pow(100, -2 * pair / 8.0) >= turn) {
            answer[3] = pair;
        }
        if (4096 * pow(1e6, -2 * pair / 8.0) >= turn) {
            answer[4] = pair;
        }
    }
}
