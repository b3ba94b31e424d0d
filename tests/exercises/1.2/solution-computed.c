#include <math.h>

#include "exercises.h"

void predict_waves(double *answer)
{
    double product = 0;
    for (int i = 0; i < 4; i++) {
        double frequency = pow(10000, -i / 4.0);
        answer[i] = i < 3 ? 2 * acos(-1) / frequency : frequency;
        product += sin(frequency) * sin(frequency) + cos(frequency) * cos(frequency);
    }
    answer[4] = product;
}
