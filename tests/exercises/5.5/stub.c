/* Exercise 5.5: one token's attention over a KV cache
 *
 * One query head asks the tokens that are in the cache. Their values are mixed by the softmax of the scores:
 *
 *     score[s] = q . key[s] / sqrt(head_dim)        s = 0 .. n_used-1
 *     out      = sum_s softmax(score)[s] * value[s]
 *
 * out, q         [head_dim]
 * keys, values   [n_kv_heads, capacity, head_dim], row-major: slot s of KV head g begins at element
 *                (g * capacity + s) * head_dim
 * kv_head        the g to look at
 * n_used         slots in use, 1 .. capacity; the others hold anything, even NaN
 *
 * Scores can be thousands above or below 0.
 *
 * By hand: head_dim 4, two slots. q = {1, 1, 0, 0}, keys {0, 0, 0, 0} and {2 ln 3, 0, 0, 0}: the scores are 0 / 2 = 0 and
 * 2 ln 3 / 2 = ln 3, the weights 1/4 and 3/4. With values {4, 0, 0, 8} and {0, 4, 0, 8}, out = {1, 3, 0, 8}.
 *
 * Check it with:  make exercise EX=5.5 */
#include <math.h>

#include "exercises.h"

void attend_to_cache(double *out, const double *q, const double *keys, const double *values, int kv_head,
                     int capacity, int n_used, int head_dim)
{
    EXERCISE_TODO("scores, weights, the mix of the values");
}
