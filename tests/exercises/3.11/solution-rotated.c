#include <math.h>

#include "exercises.h"

void predict_scores(double *answer)
{
    const int m[] = {5, 105, 3, 5, 3, 7}, n[] = {3, 103, 5, 3, 5, 7};
    for (int i = 0; i < 6; i++) {
        double key_angle = n[i] + (i == 3 || i == 4 ? acos(0.0) : 0); /* y is x turned by a quarter */
        answer[i] = cos(m[i]) * cos(key_angle) + sin(m[i]) * sin(key_angle);
    }
}
