#include <math.h>

#include "exercises.h"

int equal_width(int d_model, int expansion, int multiple)
{
    return (int)lround(2.0 * expansion * d_model / (3.0 * multiple)) * multiple;
}
