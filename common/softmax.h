/* softmax.h: scores to weights that sum to 1.
 * Introduced in chapter 5. */
#ifndef COMMON_SOFTMAX_H
#define COMMON_SOFTMAX_H

/*     x[i] -> e^(x[i] - max) / sum_j e^(x[j] - max)          in place
 *
 * The shift by the maximum changes nothing and keeps e^ from overflowing. -INFINITY is a hidden element and gets 0; a
 * row that is hidden altogether becomes zeros, not 0/0. n >= 0. */
void softmax(float *x, int n);

#endif
