/* Exercise 3.4: turn a token's heads, half layout
 *
 * Rotate every head of one token, in place. In the half layout pair i of a head is
 * (a, b) = (x[i], x[i + head_dim/2]):
 *
 *     a becomes  a * cosine[i] - b * sine[i]
 *     b becomes  a * sine[i]   + b * cosine[i]        i = 0 .. head_dim/2 - 1
 *
 * x             [n_heads, head_dim], yours to change; all heads turn by the same angles
 * cosine, sine  [head_dim / 2], of this token's position (exercise 3.2)
 *
 * By hand: one head {1, 2, 3, 4}, cosine {0.6, 0}, sine {0.8, 1}. Pair 0 is (1, 3): 0.6 - 2.4 = -1.8 and
 * 0.8 + 1.8 = 2.6. Pair 1 is (2, 4), a quarter turn: (-4, 2). So x = {-1.8, -4, 2.6, 2}.
 *
 * Check it with:  make exercise EX=3.4 */
#include "exercises.h"

void turn_half(float *x, int n_heads, int head_dim, const float *cosine, const float *sine)
{
    EXERCISE_TODO("turn every pair of every head");
}
