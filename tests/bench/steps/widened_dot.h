/* widened_dot.h: rungs of the ladder that the kernels of common/ have left behind: the product of one token with bfloat16
 * weights, row by row, with the widest vectors of the machine and nothing else done for speed. */
#ifndef TESTS_BENCH_STEPS_WIDENED_DOT_H
#define TESTS_BENCH_STEPS_WIDENED_DOT_H

#include <stddef.h>

#include "common/tensor.h"

/* y[o] = sum_i x[i] w[o, i]; w bfloat16 of any alignment. A weight is widened to float32 by a shift: its bits are the
 * upper half of that float32. ahead: bytes by which a prefetch runs before the loads, 0: none. */
void widened_dot_rows(float *y, const float *x, const struct tensor *w, size_t ahead);

#endif
