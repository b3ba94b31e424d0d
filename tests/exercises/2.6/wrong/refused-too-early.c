#include <stdint.h>

#include "exercises.h"

int gauss_power(int64_t *power, int m)
{
    if (m > 26) {
        return 0;
    }
    int64_t re = 1, im = 0;
    for (int i = 0; i < m; i++) {
        int64_t old = re;
        re = 3 * old - 4 * im;
        im = 4 * old + 3 * im;
    }
    power[0] = re;
    power[1] = im;
    return 1;
}
