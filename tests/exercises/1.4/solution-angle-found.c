#include <math.h>

#include "exercises.h"

/* The unknown angle from the pair itself; hypot keeps what the row was multiplied by. */
void move_on(double *row, int k, int d_model)
{
    double frequency = 1;
    for (double *pair = row; pair < row + d_model; pair += 2) {
        double angle = atan2(pair[0], pair[1]) + k * frequency;
        double length = hypot(pair[0], pair[1]);
        pair[0] = length * sin(angle);
        pair[1] = length * cos(angle);
        frequency *= pow(10000, -2.0 / d_model);
    }
}
