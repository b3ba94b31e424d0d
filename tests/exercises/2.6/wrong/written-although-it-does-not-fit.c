#include <stdint.h>

#include "exercises.h"

int gauss_power(int64_t *power, int m)
{
    power[0] = 1;
    power[1] = 0;
    for (int i = 0; i < m; i++) {
        int64_t re = power[0], im = power[1], re3, re4, im3, im4;
        if (__builtin_mul_overflow(re, 3, &re3) || __builtin_mul_overflow(im, 4, &im4) ||
            __builtin_mul_overflow(re, 4, &re4) || __builtin_mul_overflow(im, 3, &im3) ||
            __builtin_sub_overflow(re3, im4, &power[0]) || __builtin_add_overflow(re4, im3, &power[1])) {
            return 0;
        }
    }
    return 1;
}
