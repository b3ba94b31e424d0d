/* Exercise 3.10: predict: which pairs come round?
 *
 * Work these out before you run anything (a calculator is fine), then write them down:
 *
 *     ./chapter3 --head-dim 8 --theta 100 --step 1
 *
 * answer[0]  radians a token of pair 2
 * answer[1]  tokens a turn of pair 2
 * answer[2]  turns that pair 3 makes within 4096 tokens
 * answer[3]  the last pair that comes round at least once within 4096 tokens
 * answer[4]  the same for theta 1000000 (head_dim 8 as before)
 *
 * Three digits are enough. By hand: pair 1 turns by 100^(-2/8) = 0.316 radians a token, so a turn takes it
 * 6.283 / 0.316 = 19.9 tokens, and 4096 tokens are 206 turns.
 *
 * Check it with:  make exercise EX=3.10 */
#include <math.h>

#include "exercises.h"

void predict_turns(double *answer)
{
    EXERCISE_TODO("answer[0] = …; and so on");
}
