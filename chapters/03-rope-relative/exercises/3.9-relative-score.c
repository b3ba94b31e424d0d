/* Exercise 3.9: the score of two positions
 *
 * The score of a query at position m and a key at position n: both are turned by RoPE, each by its own position,
 * then multiplied and summed. Half layout: pair i is (x[i], x[i + head_dim/2]), turned by position * frequency[i].
 *
 *     score = (R_m q) . (R_n k) = q . (R_(n-m) k)
 *
 * You may turn both or only one of them, by the difference. Compute in double.
 *
 * q, k       [head_dim], not to be changed; head_dim is even and at most 64
 * frequency  [head_dim / 2], radians per token
 * m, n       positions of the query and of the key
 *
 * By hand: head_dim 2, frequency {1}, q = (1, 0) at 5, k = (0, 1) at 3. R_(3-5) turns k by -2 radians, to
 * (sin 2, cos 2); times q: sin 2 = 0.909.
 *
 * Check it with:  make exercise EX=3.9 */
#include <math.h>
#include <stdlib.h>

#include "exercises.h"

double score_at(const double *q, const double *k, int head_dim, const double *frequency, int m, int n)
{
    EXERCISE_TODO("one number");
}
