/* Exercise 5.2: softmax with a mask
 *
 * Turns the scores of one query into weights: over the visible keys they sum to 1, a hidden key gets 0.
 *
 *     weight[i] = e^score[i] / (sum of e^score[j] over the visible j)      where visible[i] is 1
 *     weight[i] = 0                                                        where visible[i] is 0
 *
 * weight, score, visible   [n]; visible holds 1 or 0
 *
 * Scores can be thousands above or below 0. A hidden score can be anything, even NaN. When all keys are hidden all
 * weights are 0.
 *
 * By hand: score = {0, ln 3, 5}, visible = {1, 1, 0}. e^0 = 1 and e^(ln 3) = 3, their sum is 4.
 * So weight = {0.25, 0.75, 0}.
 *
 * Check it with:  make exercise EX=5.2 */
#include <math.h>

#include "exercises.h"

void masked_softmax(double *weight, const double *score, const int *visible, int n)
{
    EXERCISE_TODO("weights that sum to 1 over the visible keys");
}
