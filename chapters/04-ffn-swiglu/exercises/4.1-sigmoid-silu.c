/* Exercise 4.1: sigmoid and SiLU
 *
 *     sigmoid(x) = 1 / (1 + e^-x)        between 0 and 1
 *     SiLU(x)    = x * sigmoid(x)
 *
 * sigmoid, silu  [n], yours to fill
 * x              [n], any number. e^x overflows from x = 710 on, so look at both ends. Where x is infinite give the
 *                limit: SiLU(-infinity) is 0.
 *
 * No digits may be lost on the left: sigmoid(-40) is 4.248e-18 and sigmoid(-300) is 5.148e-131, not 0.
 *
 * By hand: x = {0, ln 3}, and ln 3 = 1.0986. e^0 = 1, so sigmoid(0) = 1/2. e^-ln 3 = 1/3, so sigmoid(ln 3) =
 * 1 / (4/3) = 0.75. So sigmoid = {0.5, 0.75} and silu = {0 * 0.5, 1.0986 * 0.75} = {0, 0.82396}.
 *
 * Check it with:  make exercise EX=4.1 */
#include <math.h>

#include "exercises.h"

void sigmoid_and_silu(double *sigmoid, double *silu, const double *x, int n)
{
    EXERCISE_TODO("both functions of every element, safe at both ends");
}
