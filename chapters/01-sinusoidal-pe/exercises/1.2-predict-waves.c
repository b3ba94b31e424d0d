/* Exercise 1.2: predict the waves of a row of 8
 *
 * Before you run them, say what these two commands print:
 *
 *     ./chapter1 --d-model 8 --step 2      the table of pairs
 *     ./chapter1 --d-model 8 --step 4      the products of two rows
 *
 * answer  [5]
 *     answer[0]  step 2, pair 0: one turn every … positions
 *     answer[1]  step 2, pair 1: one turn every … positions
 *     answer[2]  step 2, pair 2: one turn every … positions
 *     answer[3]  step 2, pair 3: the frequency
 *     answer[4]  step 4: the row of a position times itself (distance 0)
 *
 * The base is 10000. By hand, for d_model 2: one pair, frequency 10000^0 = 1, so one turn every 6.2832 positions, and
 * a row times itself is sin^2 + cos^2 = 1. Three right digits are enough; an answer may be written as an expression.
 *
 * Check it with:  make exercise EX=1.2 */
#include <math.h>

#include "exercises.h"

void predict_waves(double *answer)
{
    EXERCISE_TODO("answer[0] to answer[4]");
}
