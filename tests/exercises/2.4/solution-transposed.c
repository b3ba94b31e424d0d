#include <math.h>

#include "exercises.h"

void turn_back(double *point, const double *matrix)
{
    double x = point[0], y = point[1];
    double a = matrix[0], b = matrix[1], c = matrix[2], d = matrix[3];
    double square = a * a + c * c;
    point[0] = (a * x + c * y) / square;
    point[1] = (b * x + d * y) / square;
}
