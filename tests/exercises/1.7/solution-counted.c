#include <math.h>

#include "exercises.h"

void predict_unseen(double *answer)
{
    const double positions[] = {512, 2048, 1000, 100000};
    for (int k = 0; k < 4; k++) {
        answer[k] = 0;
        for (int i = 0; i < 4; i++) {
            answer[k] += positions[k] * pow(10000, -i / 4.0) < 2 * acos(-1);
        }
    }
    answer[4] = 1000 * pow(10000, -3 / 4.0);
}
