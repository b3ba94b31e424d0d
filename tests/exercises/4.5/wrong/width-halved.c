#include "exercises.h"

int equal_width(int d_model, int expansion, int multiple)
{
    int d_ff = (expansion * d_model + 1) / 2;
    return (d_ff + multiple - 1) / multiple * multiple;
}
