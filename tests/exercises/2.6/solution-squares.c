#include <stdint.h>

#include "exercises.h"

/* Square and multiply. |part| <= 5^m, and 5^27 < 2^63 < 5^28: the limit is known beforehand. */
int gauss_power(int64_t *power, int m)
{
    if (m > 27) {
        return 0;
    }
    int64_t re = 1, im = 0;
    for (int bit = 16; bit > 0; bit /= 2) {
        int64_t square = re * re - im * im;
        im = 2 * (re * im);
        re = square;
        if (m & bit) {
            int64_t product = 3 * re - 4 * im;
            im = 4 * re + 3 * im;
            re = product;
        }
    }
    power[0] = re;
    power[1] = im;
    return 1;
}
