/* Exercise 3.3: rotate_half, in place
 *
 * Tensor libraries write the rotation of all pairs (x[i], x[i + head_dim/2]) as x * cos + rotate_half(x) * sin, with
 *
 *     rotate_half(x) = [-second half, first half]
 *
 * Do it in place: the same array holds the vector before and the result after.
 *
 * x         [head_dim], yours to change
 * head_dim  even, at least 2
 *
 * By hand: x = {1, 2, 3, 4}. The second half {3, 4} goes to the front with its sign changed, the first half {1, 2} to
 * the back: {-3, -4, 1, 2}. Every pair was turned by a quarter: (1, 3) became (-3, 1).
 *
 * Check it with:  make exercise EX=3.3 */
#include <string.h>

#include "exercises.h"

void rotate_half(double *x, int head_dim)
{
    EXERCISE_TODO("turn every pair by a quarter");
}
