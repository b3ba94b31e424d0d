#include <math.h>

#include "exercises.h"

void turn_point(double *point, double angle)
{
    double x = point[0], y = point[1];
    point[0] = x + cos(angle);
    point[1] = y + sin(angle);
}
