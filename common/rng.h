/* rng.h: seeded random numbers, the same on every machine (normal ones up to the last bit of its log and cos).
 * Introduced in chapter 1.
 *
 * The generator is splitmix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"): 64 bits
 * of state, one addition and three multiply-and-shift rounds a number. Good enough for dropout, initial weights and
 * sampling; not for secrets. */
#ifndef COMMON_RNG_H
#define COMMON_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
    uint64_t state;
};

void rng_init(struct rng *rng, uint64_t seed);

uint64_t rng_next(struct rng *rng);    /* uniform over all 64-bit values */
double rng_uniform(struct rng *rng);   /* uniform over [0, 1), a multiple of 2^-53 */
double rng_normal(struct rng *rng);    /* mean 0, variance 1; Box and Muller 1958, the cosine of each pair */
int rng_below(struct rng *rng, int n); /* uniform over 0 .. n-1 (bias below 2^-32); requires n > 0 */

/* x[i] = scale * normal. */
void rng_fill_normal(struct rng *rng, float *x, size_t n, double scale);

#endif
