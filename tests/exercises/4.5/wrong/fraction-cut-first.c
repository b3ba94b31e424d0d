#include "exercises.h"

int equal_width(int d_model, int expansion, int multiple)
{
    int d_ff = 2 * expansion * d_model / 3;
    return (d_ff + multiple - 1) / multiple * multiple;
}
