#include "common/dropout.h"

#include "common/require.h"

void dropout_apply(float *x, size_t n, double rate, struct rng *rng)
{
    REQUIRE(rate >= 0.0 && rate < 1.0);
    if (rng == NULL || rate == 0.0) {
        return;
    }
    float scale = (float)(1.0 / (1.0 - rate));
    for (size_t i = 0; i < n; i++) {
        /* Assigned, not multiplied by 0: a dropped infinity must not become NaN. */
        x[i] = rng_uniform(rng) >= rate ? x[i] * scale : 0.0f;
    }
}
