/* Exercise 3.2: cosines and sines of a position
 *
 * A token at a position turns pair i of its head by the angle position * frequency[i] radians:
 *
 *     cosine[i] = cos(position * frequency[i])
 *     sine[i]   = sin(position * frequency[i])        i = 0 .. n_pairs - 1
 *
 * Compute the angle in double and round once, when the result is stored: far out, a float cannot hold the angle.
 *
 * cosine, sine  [n_pairs], yours to fill
 * frequency     [n_pairs], radians per token
 * position      an int; may be large, may be negative
 *
 * By hand: frequency {1, 0.5}, position 2. The angles are 2 and 1 radians, so cosine = {cos 2, cos 1} =
 * {-0.416, 0.540} and sine = {0.909, 0.841}.
 *
 * Check it with:  make exercise EX=3.2 */
#include <math.h>

#include "exercises.h"

void cos_sin_row(float *cosine, float *sine, const double *frequency, int n_pairs, int position)
{
    EXERCISE_TODO("a cosine and a sine for each pair");
}
