#include <string.h>

#include "exercises.h"

void rotate_half(double *x, int head_dim)
{
    for (int i = 0; i < head_dim / 2; i++) {
        double first = x[i];
        x[i] = -x[head_dim - 1 - i];
        x[head_dim - 1 - i] = first;
    }
}
