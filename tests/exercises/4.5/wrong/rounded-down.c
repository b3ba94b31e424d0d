#include "exercises.h"

int equal_width(int d_model, int expansion, int multiple)
{
    return 2 * expansion * d_model / (3 * multiple) * multiple;
}
