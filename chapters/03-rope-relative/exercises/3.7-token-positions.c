/* Exercise 3.7: positions: prefill, decode, left padding
 *
 * A batch of prompts of different lengths is padded on the left, so that all rows end together. One call of the model
 * takes n_new tokens of every row; n_cached slots of every row, padding included, were taken by earlier calls. Say at
 * which position each new token stands, for the rotation.
 *
 * The first real token of a row has position 0. A slot that holds padding gets 0 too; nobody looks at it.
 *
 * position   [n_rows, n_new], yours to fill
 * n_padding  [n_rows], the number of padding slots at the left of the row
 * n_cached   0 for a prefill; the number of slots filled before otherwise
 * n_new      1 when decoding; a long prompt may also come in several pieces
 *
 * By hand: prompts of 3 and 5 tokens, n_padding {2, 0}. Prefill, n_cached 0, n_new 5: {0, 0, 0, 1, 2} and
 * {0, 1, 2, 3, 4}. The first decoded token, n_cached 5, n_new 1: {3} and {5}.
 *
 * Check it with:  make exercise EX=3.7 */
#include "exercises.h"

void token_positions(int *position, const int *n_padding, int n_rows, int n_cached, int n_new)
{
    EXERCISE_TODO("where does each new token stand?");
}
