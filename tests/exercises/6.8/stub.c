/* Exercise 6.8: float32 to bfloat16
 *
 * Gives the bfloat16 (the upper 16 bits of a float32) nearest to x. Of two that are equally near the even one, whose last
 * bit is 0. What rounds beyond the largest bfloat16 becomes infinity; infinities stay; a NaN stays a NaN, any one.
 *
 * By hand: 257 is 0x43808000. Its neighbours are 0x4380 (256) and 0x4381 (258); the lower half 0x8000 says exactly half
 * way. 0x4380 is even, so 257 becomes 256. 259 is 0x43818000, half way between 0x4381 and 0x4382, and becomes 0x4382 (260).
 *
 * Check it with:  make exercise EX=6.8 */
#include <math.h>
#include <string.h>

#include "exercises.h"

uint16_t round_to_bfloat16(float x)
{
    EXERCISE_TODO("to nearest, ties to even");
}
