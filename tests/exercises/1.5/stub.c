/* Exercise 1.5: add the encoding to [seq_len, batch, d_model]
 *
 *     x[s, b, j] += encoding[s, j]        in place
 *
 * x         [seq_len, batch, d_model], row-major: the last index moves fastest. batch sequences lie side by side: all
 *           their first tokens, then all their second tokens, …
 * encoding  [max_len, d_model], max_len >= seq_len: the row of position 0, then of position 1, …
 *
 * By hand: seq_len 2, batch 2, d_model 1, x = {1, 2, 3, 4}, encoding = {10, 20, 30, 40}. Position 0 is {1, 2} and gets
 * 10, position 1 is {3, 4} and gets 20: x = {11, 12, 23, 24}.
 *
 * Check it with:  make exercise EX=1.5 */
#include "exercises.h"

void add_encoding(float *x, const float *encoding, int seq_len, int batch, int d_model)
{
    EXERCISE_TODO("add each position's row to the token of every sequence");
}
