/* Exercise 3.6: weights from interleaved to half
 *
 * A query or key projection was trained for the interleaved layout; you want to run it with the half layout. Reorder
 * its rows, and its bias with them. Within each head, with half = head_dim/2:
 *
 *     new row i         = old row 2i                  the first elements of the pairs
 *     new row half + i  = old row 2i + 1              the second elements       i = 0 .. half - 1
 *
 * weight, new_weight  [n_heads * head_dim, n_columns], a row makes one element of a head
 * bias, new_bias      [n_heads * head_dim]
 * new_weight and new_bias are yours to fill; they do not overlap the old ones.
 *
 * By hand: one head of 6 rows, one column, weight = bias = {10, 11, 12, 13, 14, 15}. The even rows come first, then the
 * odd ones: {10, 12, 14, 11, 13, 15}, and the bias likewise.
 *
 * Check it with:  make exercise EX=3.6 */
#include <string.h>

#include "exercises.h"

void permute_to_half(float *new_weight, float *new_bias, const float *weight, const float *bias, int n_heads,
                     int head_dim, int n_columns)
{
    EXERCISE_TODO("even rows of each head first, then odd ones");
}
