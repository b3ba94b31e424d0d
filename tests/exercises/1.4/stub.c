/* Exercise 1.4: rotate row p into row p + k
 *
 * You get the sinusoidal row of a position p, but not p. Make it the row of p + k, in place. The addition theorems:
 *
 *     sin(a + t) = sin a cos t + cos a sin t        a  the pair's angle at p, unknown
 *     cos(a + t) = cos a cos t - sin a sin t        t = k * 10000^(-2i / d_model), in radians
 *
 * row      [d_model]: sin a, cos a of pair 0, then of pair 1, …; it may have been multiplied by a number, which stays
 * k        positions to go on; negative: back
 * d_model  even, at least 2
 *
 * By hand: d_model 2 and row = {0, 1}, position 0. With k = 1, t = 1: {0 * cos 1 + 1 * sin 1, 1 * cos 1 - 0 * sin 1}
 * = {0.84147, 0.54030}, the row of position 1.
 *
 * Check it with:  make exercise EX=1.4 */
#include <math.h>

#include "exercises.h"

void move_on(double *row, int k, int d_model)
{
    EXERCISE_TODO("one rotation for each pair");
}
