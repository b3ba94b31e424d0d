#include "exercises.h"

int equal_width(int d_model, int expansion, int multiple)
{
    int d_ff = expansion * d_model;
    int parameters = (int)(2LL * d_model * d_ff); /* as 2 * d_model * d_ff wraps in practice */
    int width = (parameters + 3 * d_model - 1) / (3 * d_model);
    return (width + multiple - 1) / multiple * multiple;
}
