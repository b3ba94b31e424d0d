#include <stdint.h>

#include "exercises.h"

int gauss_power(int64_t *power, int m)
{
    if (m > 27) {
        return 0;
    }
    uint32_t re = 1, im = 0; /* an int, without its undefined overflow */
    for (int i = 0; i < m; i++) {
        uint32_t old = re;
        re = 3 * old - 4 * im;
        im = 4 * old + 3 * im;
    }
    power[0] = (int32_t)re;
    power[1] = (int32_t)im;
    return 1;
}
