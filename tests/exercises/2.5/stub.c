/* Exercise 2.5: complex numbers turned by position
 *
 * A pair (x, y) is the complex number x + iy. The one at position p is turned by p * theta, which is one product:
 *
 *     z[p] = e^(i p theta) z[p],      e^(i p theta) = cos(p theta) + i sin(p theta)
 *
 *     (a + ib)(x + iy) = (ax - by) + i(ay + bx)       because i * i = -1
 *
 * z      [n, 2]: real and imaginary part of the number at position 0, then at position 1, …; in place
 * n      how many complex numbers
 * theta  radians a position
 *
 * By hand: theta a quarter turn (pi/2), z = {5, 6, 1, 2}. Position 0 stays 5 + 6i. Position 1 is multiplied by i:
 * i (1 + 2i) = -2 + i. So z = {5, 6, -2, 1}.
 *
 * Check it with:  make exercise EX=2.5 */
#include <math.h>

#include "exercises.h"

void turn_positions(double *z, int n, double theta)
{
    EXERCISE_TODO("one complex product for each position");
}
