#include "common/softmax.h"

#include <math.h>

#include "common/require.h"

/* The largest element; a NaN stays, so that it reaches the result instead of hiding in it. */
static float largest(const float *x, int n)
{
    float max = -INFINITY;
    for (int i = 0; i < n; i++) {
        if (x[i] > max || isnan(x[i])) {
            max = x[i];
        }
    }
    return max;
}

void softmax(float *x, int n)
{
    REQUIRE(n >= 0);
    float max = largest(x, n);
    if (max == -INFINITY) { /* nothing to look at: -inf - -inf would be NaN */
        for (int i = 0; i < n; i++) {
            x[i] = 0.0F;
        }
        return;
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        x[i] = expf(x[i] - max);
        sum += (double)x[i];
    }
    float scale = (float)(1.0 / sum);
    for (int i = 0; i < n; i++) {
        x[i] *= scale;
    }
}
