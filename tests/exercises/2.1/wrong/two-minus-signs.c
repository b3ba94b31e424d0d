#include <math.h>

#include "exercises.h"

void turn_point(double *point, double angle)
{
    double x = point[0], y = point[1];
    point[0] = x * cos(angle) - y * sin(angle);
    point[1] = x * sin(angle) - y * cos(angle);
}
