/* Exercise 2.3: two rotations in a row are one
 *
 * A rotation is kept as its cosine and its sine. Angles add; the addition theorems (or the product of the matrices) say
 * what that means without any angle:
 *
 *     cos(a + b) = cos a cos b - sin a sin b
 *     sin(a + b) = sin a cos b + cos a sin b
 *
 * both           [2]: cosine, sine of the rotation by both angles; may be the array first or second itself
 * first, second  [2]: cosine, sine
 *
 * By hand: two quarter turns, {0, 1} and {0, 1}: cosine 0*0 - 1*1 = -1, sine 1*0 + 0*1 = 0. Half a turn, {-1, 0}.
 *
 * Check it with:  make exercise EX=2.3 */
#include <math.h>

#include "exercises.h"

void compose(double *both, const double *first, const double *second)
{
    EXERCISE_TODO("the cosine and the sine of the sum");
}
