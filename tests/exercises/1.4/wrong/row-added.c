#include <math.h>

#include "exercises.h"

void move_on(double *row, int k, int d_model)
{
    for (int i = 0; i < d_model / 2; i++) {
        double angle = k * pow(10000, -2.0 * i / d_model);
        row[2 * i] += sin(angle);
        row[2 * i + 1] += cos(angle);
    }
}
