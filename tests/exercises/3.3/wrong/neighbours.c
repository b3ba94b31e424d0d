#include <string.h>

#include "exercises.h"

void rotate_half(double *x, int head_dim)
{
    for (int i = 0; i < head_dim; i += 2) {
        double first = x[i];
        x[i] = -x[i + 1];
        x[i + 1] = first;
    }
}
