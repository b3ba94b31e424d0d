/* Exercise 4.5: d_ff for equal parameters
 *
 * A feed-forward layer without a gate has two matrices of expansion * d_model times d_model (in Vaswani et al.
 * 2017 expansion is 4). A gated one has three. Which d_ff gives the gated layer as many parameters?
 *
 * Return the smallest multiple of `multiple` for which the gated layer has at least as many parameters as the other.
 * No biases are counted.
 *
 * d_model, expansion, multiple   at least 1; expansion * d_model is at most 1000000
 *
 * By hand: d_model 6, expansion 4. Without a gate: 2 * 6 * 24 = 288 parameters. With: 3 * 6 * d_ff = 288 for
 * d_ff = 16. With multiple 1 or 8 the answer is 16; with multiple 5 it is 20.
 *
 * Check it with:  make exercise EX=4.5 */
#include "exercises.h"

int equal_width(int d_model, int expansion, int multiple)
{
    EXERCISE_TODO("two matrices' parameters in three, rounded up");
}
