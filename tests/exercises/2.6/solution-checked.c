#include <stdint.h>

#include "exercises.h"

int gauss_power(int64_t *power, int m)
{
    int64_t re = 1, im = 0;
    for (int i = 0; i < m; i++) {
        int64_t re3, re4, im3, im4, new_re, new_im;
        if (__builtin_mul_overflow(re, 3, &re3) || __builtin_mul_overflow(im, 4, &im4) ||
            __builtin_mul_overflow(re, 4, &re4) || __builtin_mul_overflow(im, 3, &im3) ||
            __builtin_sub_overflow(re3, im4, &new_re) || __builtin_add_overflow(re4, im3, &new_im)) {
            return 0;
        }
        re = new_re;
        im = new_im;
    }
    power[0] = re;
    power[1] = im;
    return 1;
}
