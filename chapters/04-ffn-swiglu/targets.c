#include "targets.h"

#include <math.h>

#include "common/require.h"

static double product(double a, double b)
{
    return a * b;
}

static double smooth(double a, double b)
{
    return sin(a + b);
}

static double piecewise(double a, double b)
{
    return fabs(a - b);
}

static const struct target targets[N_TARGETS] = {
    {"product", "a b", "gates: a bilinear channel is a product", product},
    {"smooth", "sin(a + b)", "nobody in particular", smooth},
    {"piecewise", "|a - b|", "ReLU: two of its channels are this", piecewise},
};

const struct target *target_at(int index)
{
    REQUIRE(index >= 0 && index < N_TARGETS);
    return &targets[index];
}

void target_draw(double *x, double *y, const struct target *target, int n_samples, int d_model,
                 struct rng *rng)
{
    REQUIRE(d_model >= 3); /* else a and b are the same input */
    int n_free = d_model - 1;
    for (int sample = 0; sample < n_samples; sample++, x += d_model, y += d_model) {
        for (int i = 0; i < n_free; i++) {
            x[i] = rng_normal(rng);
        }
        x[n_free] = 1;
        for (int i = 0; i < d_model; i++) {
            y[i] = target->value(x[i % n_free], x[(i + 1) % n_free]);
        }
    }
}
