/* Exercise 3.8: positions of packed sequences
 *
 * Several sequences are packed one after the other into one array of tokens, without padding. start says where each
 * begins: sequence s is the tokens start[s] .. start[s + 1] - 1. Say at which position each token stands in its own
 * sequence.
 *
 * position     [start[n_sequences]], one for each token, yours to fill
 * start        [n_sequences + 1]; start[0] is 0, and start[n_sequences] is the number of tokens
 * A sequence may be empty: start[s] == start[s + 1].
 *
 * By hand: start {0, 3, 5}, two sequences of 3 and 2 tokens. position = {0, 1, 2, 0, 1}.
 *
 * Check it with:  make exercise EX=3.8 */
#include "exercises.h"

void packed_positions(int *position, const int *start, int n_sequences)
{
    EXERCISE_TODO("each sequence counts from 0");
}
