/* Exercise 6.4: repetition penalty
 *
 * Makes tokens that stand in the text already less likely, before one is drawn. For each id in the history:
 *
 *     logit above 0      logit / penalty
 *     logit 0 or below   logit * penalty
 *
 * Once per id, however often it stands there. All other logits stay as they are. Ids outside 0 .. vocab_size-1 are
 * passed over: a model's vocabulary can be smaller than its tokenizer's.
 *
 * logits       [vocab_size], changed in place
 * history      [n_history], the ids of the prompt and of the output so far; n_history may be 0
 * penalty      above 0; 1 changes nothing
 *
 * By hand: logits {2, -2, 1}, history {0, 1, 1}, penalty 1.5. Id 0: 2 / 1.5 = 1.3333. Id 1: -2 * 1.5 = -3, once.
 * Id 2 is not in the history. So logits = {1.3333, -3, 1}.
 *
 * Check it with:  make exercise EX=6.4 */
#include "exercises.h"

void penalize_repeats(float *logits, int vocab_size, const int *history, int n_history, double penalty)
{
    EXERCISE_TODO("each id of the history, once");
}
