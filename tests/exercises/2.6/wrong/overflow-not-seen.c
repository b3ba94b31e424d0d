#include <stdint.h>

#include "exercises.h"

int gauss_power(int64_t *power, int m)
{
    uint64_t re = 1, im = 0; /* wraps round, as signed numbers do on most machines */
    for (int i = 0; i < m; i++) {
        uint64_t old = re;
        re = 3 * old - 4 * im;
        im = 4 * old + 3 * im;
    }
    power[0] = (int64_t)re;
    power[1] = (int64_t)im;
    return 1;
}
