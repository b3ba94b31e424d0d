#include <math.h>

#include "exercises.h"

void move_on(double *row, int k, int d_model)
{
    for (int i = 0; i < d_model / 2; i++) {
        double angle = k * pow(10000, -1.0 * i / d_model);
        double sine = row[2 * i], cosine = row[2 * i + 1];
        row[2 * i] = sine * cos(angle) + cosine * sin(angle);
        row[2 * i + 1] = cosine * cos(angle) - sine * sin(angle);
    }
}
