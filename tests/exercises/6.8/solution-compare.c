#include <math.h>
#include <string.h>

#include "exercises.h"

uint16_t round_to_bfloat16(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint16_t upper = (uint16_t)(bits >> 16);
    uint32_t lower = bits & 0xFFFF;
    if (isnan(x)) {
        return 0x7FC0;
    }
    if (lower > 0x8000 || (lower == 0x8000 && upper % 2 == 1)) {
        upper++; /* from the largest number to infinity too */
    }
    return upper;
}
