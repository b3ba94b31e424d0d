/* Exercise 5.1: RMSNorm
 *
 * Divides a vector by its root mean square, then multiplies each element by its weight:
 *
 *     out[i] = weight[i] * x[i] / sqrt(mean_j x[j]^2 + eps)        i = 0 .. n-1
 *
 * out, x, weight   [n], n at least 1; out is not x
 * eps              0 or above, inside the root
 *
 * By hand: x = {1, 7}, weight = {1, 2}, eps 0. The mean of the squares is (1 + 49) / 2 = 25, its root 5.
 * So out = {1 * 1/5, 2 * 7/5} = {0.2, 2.8}.
 *
 * Check it with:  make exercise EX=5.1 */
#include <math.h>

#include "exercises.h"

void scale_by_rms(double *out, const double *x, const double *weight, int n, double eps)
{
    EXERCISE_TODO("the root mean square of all, then each element");
}
