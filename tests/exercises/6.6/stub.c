/* Exercise 6.6: logits for one row
 *
 * Scores every token of the vocabulary for one row of the model's last hidden states:
 *
 *     logit[v] = sum_i hidden[row, i] * head[v, i]        v = 0 .. vocab_size-1
 *
 * The head is the embedding again when the weights are tied, whatever else the file holds; else it is lm_head.
 *
 * logit       [vocab_size], yours to fill
 * hidden      [n_tokens, d_model], row-major; row: which of its rows
 * embedding   [vocab_size, d_model], row v is token v's
 * lm_head     [vocab_size, d_model], or NULL; not NULL when tied is 0
 * tied        1 or 0
 *
 * By hand: d_model 2, hidden row {3, 1}, embedding {1, 0}, {0, 1}, {2, -1} for tokens 0, 1, 2, tied.
 * So logit = {3 * 1 + 1 * 0, 3 * 0 + 1 * 1, 3 * 2 - 1 * 1} = {3, 1, 5}.
 *
 * Check it with:  make exercise EX=6.6 */
#include "exercises.h"

void logits_of_row(double *logit, const double *hidden, int row, const double *embedding,
                   const double *lm_head, int tied, int vocab_size, int d_model)
{
    EXERCISE_TODO("one dot product for each token of the vocabulary");
}
