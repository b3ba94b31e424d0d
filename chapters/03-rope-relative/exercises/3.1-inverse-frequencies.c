/* Exercise 3.1: inverse frequencies
 *
 * RoPE turns pair i of a head by frequency[i] radians per token:
 *
 *     frequency[i] = theta^(-2i / head_dim)        i = 0 .. head_dim/2 - 1
 *
 * frequency  [head_dim / 2], yours to fill
 * head_dim   even, at least 2
 * theta      above 0
 *
 * By hand: head_dim 4, theta 10000. Pair 0: 10000^0 = 1. Pair 1: 10000^(-2/4) = 1 / sqrt(10000) = 0.01.
 * So frequency = {1, 0.01}.
 *
 * Check it with:  make exercise EX=3.1 */
#include <math.h>

#include "exercises.h"

void inverse_frequencies(double *frequency, int head_dim, double theta)
{
    EXERCISE_TODO("one frequency for each pair");
}
