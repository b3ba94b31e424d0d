/* Exercise 3.11: predict: scores of two positions
 *
 * Predict what score_at of exercise 3.9 returns, head_dim 2 and one frequency, 1 radian a token. With
 * double x[] = {1, 0}, y[] = {0, 1}, one[] = {1}:
 *
 * answer[0]  score_at(x, x, 2, one, 5, 3)
 * answer[1]  score_at(x, x, 2, one, 105, 103)
 * answer[2]  score_at(x, x, 2, one, 3, 5)
 * answer[3]  score_at(x, y, 2, one, 5, 3)
 * answer[4]  score_at(x, y, 2, one, 3, 5)
 * answer[5]  score_at(x, x, 2, one, 7, 7)
 *
 * Two digits after the point are enough. By hand, one more: score_at(x, x, 2, one, 4, 3) is the score of two unit
 * vectors that are 1 radian apart, cos 1 = 0.54.
 *
 * Check it with:  make exercise EX=3.11 */
#include <math.h>

#include "exercises.h"

void predict_scores(double *answer)
{
    EXERCISE_TODO("answer[0] = …; and so on");
}
