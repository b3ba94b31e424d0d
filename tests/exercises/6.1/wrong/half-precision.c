#include <math.h>

#include "exercises.h"

void widen_bfloat16(float *out, const uint16_t *bits, int n)
{
    for (int i = 0; i < n; i++) {
        int exponent = bits[i] >> 10 & 31, mantissa = bits[i] & 1023;
        float size = exponent == 31  ? (mantissa > 0 ? NAN : INFINITY)
                     : exponent == 0 ? ldexpf((float)mantissa, -24)
                                     : ldexpf((float)(1024 + mantissa), exponent - 25);
        out[i] = bits[i] >> 15 != 0 ? -size : size;
    }
}
