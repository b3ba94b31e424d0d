#include <math.h>

#include "exercises.h"

/* From the meaning of the fields. */
void widen_bfloat16(float *out, const uint16_t *bits, int n)
{
    for (int i = 0; i < n; i++) {
        int exponent = bits[i] >> 7 & 255, mantissa = bits[i] & 127;
        float size = exponent == 255 ? (mantissa > 0 ? NAN : INFINITY)
                     : exponent == 0 ? ldexpf((float)mantissa, -133)
                                     : ldexpf((float)(128 + mantissa), exponent - 134);
        out[i] = bits[i] >> 15 != 0 ? -size : size;
    }
}
