/* dropout.h: switches random elements off while training.
 * Introduced in chapter 1. Srivastava et al. 2014; inverted scaling, as torch.nn.Dropout. */
#ifndef COMMON_DROPOUT_H
#define COMMON_DROPOUT_H

#include <stddef.h>

#include "common/rng.h"

/* In place, with kept_i drawn per element, 1 with probability 1 - rate:
 *
 *     x[i] -> x[i] * kept_i / (1 - rate)          training (rng given): the mean stays what it was
 *     x[i] -> x[i]                                inference (rng NULL), or rate 0: nothing is drawn
 *
 * x      [n]
 * rate   the probability that an element becomes 0; requires 0 <= rate < 1 */
void dropout_apply(float *x, size_t n, double rate, struct rng *rng);

#endif
