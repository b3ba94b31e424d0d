/* rmsnorm.h: scales a vector to root mean square 1.
 * Introduced in chapter 5. Zhang and Sennrich 2019, arXiv 1910.07467. */
#ifndef COMMON_RMSNORM_H
#define COMMON_RMSNORM_H

#include <stdint.h>

#include "common/tensor.h"

/*     out[t, i] = weight[i] * x[t, i] / sqrt(mean_j x[t, j]^2 + eps)
 *
 * eps stands inside the root: a zero vector gives 0.
 * x, out  [n_rows, n_cols]; out may be x.   weight [1, n_cols] */
void rmsnorm(float *out, const float *x, const struct tensor *weight, double eps, int n_rows, int n_cols);

/* In bfloat16 as transformers' Qwen2RMSNorm rounds: the mean in float32, x / root rounded to bfloat16, then the product
 * with the weight rounded. x, out [n_rows, n_cols], weight [n_cols], all bfloat16. */
void rmsnorm_bf16(uint16_t *out, const uint16_t *x, const uint16_t *weight, double eps, int n_rows,
                  int n_cols);

#endif
