#include <math.h>

#include "exercises.h"

void turn_back(double *point, const double *matrix)
{
    double x = point[0], y = point[1];
    double a = matrix[0], b = matrix[1], c = matrix[2], d = matrix[3];
    point[0] = x / a + y / c;
    point[1] = x / b + y / d;
}
