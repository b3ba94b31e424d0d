/* Exercise 3.5: turn tokens, interleaved layout
 *
 * Rotate one head of several tokens, in place, each token by its own position. In the interleaved layout pair i of a
 * token is (a, b) = (x[2i], x[2i + 1]). With the angle t = position * frequency[i]:
 *
 *     a becomes  a * cos(t) - b * sin(t)
 *     b becomes  a * sin(t) + b * cos(t)              i = 0 .. head_dim/2 - 1
 *
 * x          [n_tokens, head_dim], yours to change
 * position   [n_tokens], in any order
 * frequency  [head_dim / 2], radians per token
 *
 * By hand: one token {1, 2, 3, 4} at position 1, frequency {pi/2, pi}. Pair 0 is (1, 2), turned by a quarter: (-2, 1).
 * Pair 1 is (3, 4), turned by a half: (-3, -4). So x = {-2, 1, -3, -4}.
 *
 * Check it with:  make exercise EX=3.5 */
#include <math.h>

#include "exercises.h"

void turn_interleaved(float *x, const int *position, const double *frequency, int n_tokens, int head_dim)
{
    EXERCISE_TODO("turn every pair of every token");
}
