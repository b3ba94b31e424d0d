/* Exercise 2.2: predict angles that add
 *
 * R_m turns by m * theta. Before you run it, say which angles (the last column) this command prints; m is 7, n is 3:
 *
 *     ./chapter2 --theta 0.5 --step 2
 *
 * answer  [5], in radians
 *     answer[0]  R_m
 *     answer[1]  R_n transposed
 *     answer[2]  R_n R_m
 *     answer[3]  R_n transposed R_m
 *     answer[4]  R_n transposed R_n
 *
 * The program knows an angle from its cosine and sine alone, so it shows it within -pi .. pi: whole turns are lost.
 * By hand, a rotation by 4 radians: 4 is above pi = 3.1416, so it shows 4 - 6.2832 = -2.2832. Three right digits are
 * enough.
 *
 * Check it with:  make exercise EX=2.2 */
#include <math.h>

#include "exercises.h"

void predict_angles(double *answer)
{
    EXERCISE_TODO("answer[0] to answer[4]");
}
