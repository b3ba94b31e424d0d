/* Exercise 2.1: turn a point of the plane
 *
 *     [ x ]     [ cos -sin ] [ x ]
 *     [ y ] ->  [ sin  cos ] [ y ]        in place; positive angles turn from the x axis towards the y axis
 *
 * point  [2]: x, y
 * angle  in radians, any size, any sign
 *
 * By hand: point = {3, -4}, a quarter turn, angle pi/2: cos 0, sin 1. x becomes 3*0 - (-4)*1 = 4, y becomes
 * 3*1 + (-4)*0 = 3. So point = {4, 3}; its length was 5 and is 5.
 *
 * Check it with:  make exercise EX=2.1 */
#include <math.h>

#include "exercises.h"

void turn_point(double *point, double angle)
{
    EXERCISE_TODO("turn by the angle");
}
