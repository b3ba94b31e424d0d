#include <string.h>

#include "exercises.h"

void rotate_half(double *x, int head_dim)
{
    int half = head_dim / 2;
    for (int i = 0; i < half; i++) {
        double first = x[i];
        x[i] = -x[i + half];
        x[i + half] = first;
    }
}
