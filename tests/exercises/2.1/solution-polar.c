#include <math.h>

#include "exercises.h"

/* The length stays, the angle grows. In float32. */
void turn_point(double *point, double angle)
{
    float length = hypotf((float)point[0], (float)point[1]);
    float direction = atan2f((float)point[1], (float)point[0]) + (float)angle;
    point[0] = length * cosf(direction);
    point[1] = length * sinf(direction);
}
