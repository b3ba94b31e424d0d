#include <stdint.h>

#include "exercises.h"

int gauss_power(int64_t *power, int m)
{
    if (m > 27) {
        return 0;
    }
    double re = 1, im = 0;
    for (int i = 0; i < m; i++) {
        double old = re;
        re = 3 * old - 4 * im;
        im = 4 * old + 3 * im;
    }
    power[0] = (int64_t)re;
    power[1] = (int64_t)im;
    return 1;
}
