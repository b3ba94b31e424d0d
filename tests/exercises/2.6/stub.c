/* Exercise 2.6: exact powers of 3 + 4i
 *
 *     power[0] + i power[1] = (3 + 4i)^m        exactly, in 64-bit integers
 *
 * m       at least 0; (3 + 4i)^0 = 1
 * power   [2]: real and imaginary part, written only when both fit int64_t
 * returns 1, or 0 when a part does not fit: then power stays as it was
 *
 * By hand: (3 + 4i)^2 = 9 + 24i + 16 i*i = -7 + 24i, so power = {-7, 24}. Its length is 25: each factor multiplies the
 * length by 5, and no part is ever longer than 5^m.
 *
 * Signed overflow is undefined in C: find out before it happens. gcc and clang have __builtin_mul_overflow(a, b, &c),
 * __builtin_add_overflow and __builtin_sub_overflow: they set c and return whether the result did not fit.
 *
 * Check it with:  make exercise EX=2.6 */
#include <stdint.h>

#include "exercises.h"

int gauss_power(int64_t *power, int m)
{
    EXERCISE_TODO("multiply by 3 + 4i, m times, and look out for overflow");
}
