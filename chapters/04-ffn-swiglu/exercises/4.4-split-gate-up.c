/* Exercise 4.4: split what a fused gate+up matrix gives
 *
 * Gate and up read the same x, so many models keep them in one matrix W1 [2 d_ff, d_model], gate rows first. Its product
 * holds both branches of a token side by side. Take them apart:
 *
 *     gate[t] = the first d_ff elements of row t        up[t] = its last d_ff elements
 *
 * gate, up   [n_tokens, d_ff], row-major, yours to fill
 * fused      [n_tokens, 2 d_ff], row-major: one row a token
 *
 * By hand: 2 tokens, d_ff 2. fused = {1, 2, 3, 4,
 *                                     5, 6, 7, 8}. So gate = {1, 2,  5, 6} and up = {3, 4,  7, 8}.
 *
 * Check it with:  make exercise EX=4.4 */
#include <string.h>

#include "exercises.h"

void split_gate_up(float *gate, float *up, const float *fused, int n_tokens, int d_ff)
{
    EXERCISE_TODO("the two halves of every token's row");
}
