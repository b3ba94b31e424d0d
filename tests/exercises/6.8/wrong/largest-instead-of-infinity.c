#include <string.h>

#include "exercises.h"

/* Adding just under half, plus 1 when the last bit kept is odd, carries exactly when it should. */
uint16_t round_to_bfloat16(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x != x) {
        return (uint16_t)(bits >> 16 | 0x40);
    }
    if ((bits & 0x7FFFFFFF) > 0x7F7F0000 && (bits & 0x7FFFFFFF) < 0x7F800000) {
        return (uint16_t)(bits >> 31 << 15 | 0x7F7F);
    }
    return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}
