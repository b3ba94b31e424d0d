#include "common/rng.h"

#include <math.h>

#include "common/require.h"

void rng_init(struct rng *rng, uint64_t seed)
{
    rng->state = seed;
}

uint64_t rng_next(struct rng *rng)
{
    rng->state += 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio: the state never repeats within 2^64 steps */
    uint64_t z = rng->state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double rng_uniform(struct rng *rng)
{
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

double rng_normal(struct rng *rng)
{
    static const double two_pi = 6.283185307179586;
    double radius = sqrt(-2.0 * log(1.0 - rng_uniform(rng))); /* 1 - u is never 0 */
    return radius * cos(two_pi * rng_uniform(rng));
}

int rng_below(struct rng *rng, int n)
{
    REQUIRE(n > 0);
    return (int)((rng_next(rng) >> 32) * (uint64_t)n >> 32);
}

void rng_fill_normal(struct rng *rng, float *x, size_t n, double scale)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = (float)(scale * rng_normal(rng));
    }
}
