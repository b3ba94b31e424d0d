/* Exercise 4.8: predict: what a gate costs
 *
 * Before you run it, write down what this prints in its first two rows:
 *
 *     ./chapter4 --step 6 --d-model 10 --d-ff 64
 *
 * answer[0]  parameters without a gate
 * answer[1]  d_ff with a gate
 * answer[2]  the ratio of that d_ff to d_model
 * answer[3]  parameters with a gate
 *
 * By hand, for --d-model 6 --d-ff 24: 2 * 6 * 24 = 288 parameters; 2/3 of 24 is 16, and 16 / 6 = 2.67; 3 * 6 * 16 = 288.
 * Where 2/3 is no whole number the width is rounded up.
 *
 * Check it with:  make exercise EX=4.8 */
#include "exercises.h"

void predict_cost(double *answer)
{
    EXERCISE_TODO("fill in what the program prints");
    answer[0] = 0;
    answer[1] = 0;
    answer[2] = 0;
    answer[3] = 0;
}
