/* Exercise 1.6: inverted dropout with given random numbers
 *
 *     training:    out[i] = x[i] / (1 - rate)   where u[i] >= rate, kept
 *                  out[i] = 0                   where u[i] <  rate, dropped, whatever x[i] is
 *     inference:   out[i] = x[i]
 *
 * out, x    [n]
 * u         [n], random numbers of 0 <= u < 1, one an element
 * rate      the share that is dropped, 0 <= rate < 1
 * training  1 while training, 0 at inference
 *
 * By hand: x = {3, 3}, u = {0.1, 0.9}, rate 0.25, training: 0.1 is below 0.25, so the first is dropped; the second is
 * kept and becomes 3 / 0.75 = 4. out = {0, 4}.
 *
 * Check it with:  make exercise EX=1.6 */
#include "exercises.h"

void drop_out(float *out, const float *x, const float *u, int n, float rate, int training)
{
    EXERCISE_TODO("drop, or keep and scale");
}
