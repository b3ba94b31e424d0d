#include "exercises.h"

/* Rounded up once: multiples of 3 * multiple in 2 * expansion * d_model. */
int equal_width(int d_model, int expansion, int multiple)
{
    int parameters = 2 * expansion * d_model; /* per element of x */
    int step = 3 * multiple;
    return (parameters + step - 1) / step * multiple;
}
