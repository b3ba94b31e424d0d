#include <stdint.h>

#include "exercises.h"

int gauss_power(int64_t *power, int m)
{
    int64_t re = 1, im = 1;
    for (int i = 0; i < m; i++) {
        if (__builtin_mul_overflow(re, 3, &re) || __builtin_mul_overflow(im, 4, &im)) {
            return 0;
        }
    }
    power[0] = re;
    power[1] = im;
    return 1;
}
