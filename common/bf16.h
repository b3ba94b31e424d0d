/* bf16.h: bfloat16, the upper half of a float32.
 * Introduced in chapter 3.
 *
 *     float32   seeeeeee emmmmmmm mmmmmmmm mmmmmmmm      8 bits of exponent, 23 of mantissa
 *     bfloat16  seeeeeee emmmmmmm                        the same range, 7 bits of mantissa: 257 becomes 256
 *
 * A value is held in a uint16_t. Rounding is to nearest, ties to even, as the hardware and PyTorch do; a NaN stays a
 * NaN (its quiet bit is set), infinities stay, the largest float32 values become infinity. */
#ifndef COMMON_BF16_H
#define COMMON_BF16_H

#include <stddef.h>
#include <stdint.h>

uint16_t bf16_from_f32(float x);
float bf16_to_f32(uint16_t x); /* exact */

/* The float32 that is nearest to x among the bfloat16 values: bf16_to_f32(bf16_from_f32(x)). */
float bf16_round(float x);

/* x = hi + lo with |x - hi - lo| <= 2^-17 |x|: a float32 as a sum of two bfloat16 terms, for hardware that multiplies
 * bfloat16 only (chapter 4's AMX kernel).
 * requires 2^-109 <= |x| <= 0x1.fep127, or x = 0: smaller ones lose bits of lo to underflow, in larger ones hi is
 * infinite. */
void bf16_split(uint16_t *hi, uint16_t *lo, float x);

#endif
