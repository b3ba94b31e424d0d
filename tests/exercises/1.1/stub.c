/* Exercise 1.1: sinusoidal rows of given positions
 *
 * Row r encodes the position positions[r]. Its elements 2i and 2i+1 are a sine and a cosine of one angle:
 *
 *     rows[r, 2i]     = sin(angle)        angle = positions[r] * 10000^(-2i / d_model), in radians
 *     rows[r, 2i + 1] = cos(angle)
 *
 * rows       [n, d_model], yours to fill
 * positions  [n], in any order
 * d_model    at least 1; when it is odd, the last element is a sine without its cosine
 *
 * By hand: d_model 4, position 1. Elements 0 and 1: angle 1 * 10000^0 = 1, so sin 1 = 0.84147 and cos 1 = 0.54030.
 * Elements 2 and 3 (i = 1): angle 1 * 10000^(-2/4) = 0.01, so sin 0.01 = 0.0099998 and cos 0.01 = 0.99995.
 *
 * Check it with:  make exercise EX=1.1 */
#include <math.h>

#include "exercises.h"

void encode_positions(double *rows, const int *positions, int n, int d_model)
{
    EXERCISE_TODO("one row for each position");
}
