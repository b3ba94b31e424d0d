/* Exercise 2.4: undo a rotation with a scale
 *
 * A matrix s R (a rotation R, times a number s) was applied to a point. Bring the point back, in place.
 *
 *     [ a  b ]       [ cos -sin ]
 *     [ c  d ]  =  s [ sin  cos ]        s > 0, so a^2 + c^2 = s^2
 *
 * point   [2]: x, y after the matrix; yours to replace by x, y before it
 * matrix  [4]: a, b, c, d
 *
 * By hand: matrix = {3, -4, 4, 3}, 5 times a rotation, takes (2, 1) to (3*2 - 4*1, 4*2 + 3*1) = (2, 11). From
 * point = {2, 11} you find {2, 1} again.
 *
 * Check it with:  make exercise EX=2.4 */
#include <math.h>

#include "exercises.h"

void turn_back(double *point, const double *matrix)
{
    EXERCISE_TODO("back to the point before the matrix");
}
