/* Exercise 6.1: bfloat16 to float32
 *
 * A bfloat16 is the upper half of a float32: the same sign, the same 8 bits of exponent, 7 instead of 23 of mantissa.
 *
 *     float32   seeeeeee emmmmmmm mmmmmmmm mmmmmmmm
 *     bfloat16  seeeeeee emmmmmmm
 *
 * out    [n], yours to fill
 * bits   [n], each a bfloat16
 *
 * By hand: 0xC040 is 1 10000000 1000000. The lower half becomes zeros: 0xC0400000. The sign is minus, the exponent
 * 128 - 127 = 1, the mantissa 1.1 in binary, 1.5: so -1.5 * 2^1 = -3.
 *
 * Check it with:  make exercise EX=6.1 */
#include <math.h>
#include <string.h>

#include "exercises.h"

void widen_bfloat16(float *out, const uint16_t *bits, int n)
{
    EXERCISE_TODO("the bits are the upper half of a float32");
}
