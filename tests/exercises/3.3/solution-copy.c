#include <string.h>

#include "exercises.h"

void rotate_half(double *x, int head_dim)
{
    double copy[512];
    memcpy(copy, x, (size_t)head_dim * sizeof *x);
    for (int i = 0; i < head_dim; i++) {
        x[i] = i < head_dim / 2 ? -copy[i + head_dim / 2] : copy[i - head_dim / 2];
    }
}
