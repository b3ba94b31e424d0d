/* Exercise 1.7: predict what training never showed
 *
 * A pair makes one turn every 2 pi / frequency positions, frequency = 10000^(-2i / d_model). A model that was trained on
 * fewer positions has seen a part of the turn only. Before you run it, say what this command prints:
 *
 *     ./chapter1 --d-model 8 --max-len 1000 --step 8
 *
 * answer  [5]
 *     answer[0]  trained on 512 positions:    … of 4 pairs below one turn
 *     answer[1]  trained on 2048 positions:   … of 4 pairs below one turn
 *     answer[2]  trained on 1000 positions:   … of 4 pairs below one turn
 *     answer[3]  trained on 100000 positions: … of 4 pairs below one turn
 *     answer[4]  within 1000 positions the slowest pair turns … of 6.283 radians
 *
 * By hand, for d_model 4: the frequencies are 1 and 0.01, so a turn takes 6.283 or 628.3 positions. Of the 2 pairs, one
 * is below one turn within 512 positions and none within 1000, where the slowest turns 0.01 * 1000 = 10 radians.
 *
 * Check it with:  make exercise EX=1.7 */
#include <math.h>

#include "exercises.h"

void predict_unseen(double *answer)
{
    EXERCISE_TODO("answer[0] to answer[4]");
}
