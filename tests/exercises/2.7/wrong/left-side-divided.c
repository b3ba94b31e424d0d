#include <stdint.h>

#include "exercises.h"

static void multiply(int64_t *z)
{
    int64_t re = z[0];
    z[0] = 3 * re - 4 * z[1];
    z[1] = 4 * re + 3 * z[1];
}

void two_sides(int64_t *left, int64_t *right, int m, int n)
{
    int64_t a[2] = {1, 0}, b[2] = {1, 0}, scale = 1;
    right[0] = 1;
    right[1] = 0;
    for (int i = 0; i < m; i++) {
        multiply(a);
        scale *= 5;
    }
    for (int i = 0; i < n; i++) {
        multiply(b);
    }
    for (int i = 0; i < n - m; i++) {
        multiply(right);
    }
    left[0] = (a[0] * b[0] + a[1] * b[1]) / scale;
    left[1] = (a[0] * b[1] - a[1] * b[0]) / scale;
    right[0] *= scale;
    right[1] *= scale;
}
