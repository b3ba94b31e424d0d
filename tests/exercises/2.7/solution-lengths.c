#include <stdint.h>

#include "exercises.h"

/* The factor as what the transpose and the matrix do to a length: 5^m each. */
static void power_of(int64_t *z, int m)
{
    z[0] = 1;
    z[1] = 0;
    while (m-- > 0) {
        const int64_t re = 3 * z[0] - 4 * z[1], im = 4 * z[0] + 3 * z[1];
        z[0] = re;
        z[1] = im;
    }
}

void two_sides(int64_t *left, int64_t *right, int m, int n)
{
    int64_t a[2], b[2];
    power_of(a, m);
    power_of(b, n);
    power_of(right, n - m);
    left[0] = b[0] * a[0] + b[1] * a[1];
    left[1] = b[1] * a[0] - b[0] * a[1];
    const int64_t square_of_length = a[0] * a[0] + a[1] * a[1];
    right[0] *= square_of_length;
    right[1] *= square_of_length;
}
