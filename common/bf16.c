#include "common/bf16.h"

#include <string.h>

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

uint16_t bf16_from_f32(float x)
{
    uint32_t bits = bits_of(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
        /* A NaN whose only set bits are in the lower half would be cut to infinity, and the addition below would
         * carry 7fffffff into the sign: so NaN is a case of its own. */
        return (uint16_t)(bits >> 16 | 0x0040u);
    }
    /* Adding just under half of the last kept bit carries into it when the rest is more than half; the kept bit
     * itself decides a tie, so that the result is even. A carry out of the mantissa raises the exponent: right. */
    uint32_t last_kept = bits >> 16 & 1u;
    return (uint16_t)((bits + 0x7fffu + last_kept) >> 16);
}

float bf16_to_f32(uint16_t x)
{
    uint32_t bits = (uint32_t)x << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float bf16_round(float x)
{
    return bf16_to_f32(bf16_from_f32(x));
}

void bf16_split(uint16_t *hi, uint16_t *lo, float x)
{
    *hi = bf16_from_f32(x);
    *lo = bf16_from_f32(x - bf16_to_f32(*hi)); /* the difference is exact in float32 */
}
