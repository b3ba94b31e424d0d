#include <math.h>

#include "exercises.h"

/* The inverse of any 2 x 2 matrix, by its determinant. In float32. */
void turn_back(double *point, const double *matrix)
{
    float a = (float)matrix[0], b = (float)matrix[1], c = (float)matrix[2], d = (float)matrix[3];
    float x = (float)point[0], y = (float)point[1];
    float determinant = a * d - b * c;
    point[0] = (d * x - b * y) / determinant;
    point[1] = (a * y - c * x) / determinant;
}
