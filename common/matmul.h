/* matmul.h: the matrix product of a linear layer, y = x W^T + b, as a plain loop and as the fastest kernel that the
 * machine has.
 * Introduced in chapter 4.
 *
 * Read matmul_plain first: it is the definition. matmul() gives the same within rounding and is what everything calls;
 * tests hold every kernel to the plain loop. One row of y is computed by one thread, in an order that does not depend
 * on the number of threads: results are the same bits for 1, 2 or 64 of them. */
#ifndef COMMON_MATMUL_H
#define COMMON_MATMUL_H

#include <stddef.h>
#include <stdio.h>

#include "common/status.h"
#include "common/tensor.h"

/*     y[t, o] = bias[o] + sum_i x[t, i] * w[o, i]
 *
 * y     row t at y + t * y_stride, w->rows wide; must not overlap x
 * x     row t at x + t * x_stride, w->cols wide; strides in elements
 * w     [d_out, d_in], any dtype, any alignment
 * bias  [1, d_out], or not present (tensor_present)
 * n_tokens >= 0. */
void matmul_plain(float *y, size_t y_stride, const float *x, size_t x_stride, const struct tensor *w,
                  const struct tensor *bias, int n_tokens);
void matmul(float *y, size_t y_stride, const float *x, size_t x_stride, const struct tensor *w,
            const struct tensor *bias, int n_tokens);

/* One of several products of the same x: Q, K and V, or gate and up. */
struct matmul_part {
    float *y;
    size_t y_stride;
    const struct tensor *w;
    const struct tensor *bias;
};
/* All parts in one pass over the threads. The parts' w have the same number of columns. */
void matmul_parts(const struct matmul_part *parts, int n_parts, const float *x, size_t x_stride,
                  int n_tokens);

/* The middle of SwiGLU: gate->y = silu(x W_gate^T + b) * (x W_up^T + b); up->y is room for what it is made of, and holds
 * nothing of use afterwards. The same as matmul_parts and matmul_silu_multiply; but what a thread has computed is multiplied
 * while it is near, instead of being written to memory and read again. The two parts have the same shapes. */
void matmul_gated(const struct matmul_part *gate, const struct matmul_part *up, const float *x,
                  size_t x_stride, int n_tokens);

/* Memory for n numbers that kernels read and write, from a line of the cache on: a vector of 64 bytes that lies across two
 * lines costs as much as two. NULL when there is none (n == SIZE_MAX included); given back with free. */
float *matmul_memory(size_t n);

/* ---- What attention and the FFN are made of, with the chosen kernel, on the calling thread ---- */

/* sum_i a[i] * b[i], and y[i] += scale * x[i]. */
float matmul_dot(const float *a, const float *b, int n);
void matmul_add_scaled(float *y, float scale, const float *x, int n);

/* Scores of queries against keys: y[t, s] = sum_i x[t, i] k[s, i]; k [n_keys, dim] float32, rows one after the other.
 * Mixing values with weights: y[t, c] += sum_s x[t, s] v[s, c]; v [n_keys, dim] likewise. Rows of y and x at strides; where
 * that of x is MATMUL_MIX_STRIDE, long enough for 512 keys, mixing takes x as it is and needs no copy. */
enum { MATMUL_MIX_STRIDE = 528 };
void matmul_scores(float *y, size_t y_stride, const float *x, size_t x_stride, const float *k, int n_rows,
                   int n_keys, int dim);
void matmul_mix(float *y, size_t y_stride, const float *x, size_t x_stride, const float *v, int n_rows,
                int n_keys, int dim);

/* The largest of n > 0 numbers. x[i] = e^(x[i] - shift); returns their sum. */
float matmul_largest(const float *x, int n);
float matmul_exp_sum(float *x, float shift, int n);

/* gate[i] = silu(gate[i]) * up[i]: the middle of SwiGLU. */
void matmul_silu_multiply(float *gate, const float *up, size_t n);

/* Chooses the kernel, once, before the first product: name, or when NULL the environment variable KERNEL, or when that
 * is unset too the best that this CPU and its operating system allow. Until then the portable kernel serves.
 * errors: STATUS_USAGE for an unknown name, STATUS_UNSUPPORTED for a kernel that this machine cannot run. */
enum status matmul_choose_kernel(const char *name, struct error *error);
const char *matmul_kernel_name(void);
/* One line per kernel: its name, whether it is built in, whether this machine runs it, and which one is chosen. */
void matmul_list_kernels(FILE *out);
/* The i-th kernel that this machine can run, NULL after the last; for tests and benchmarks. */
const char *matmul_usable_kernel(int i);

/* How a kernel that multiplies bfloat16 only (avx512bf16, amx) writes an activation in products of many tokens: as a sum
 * of two bfloat16 terms, 16 bits or more (the default), or rounded to one. Products of kernels that multiply float32
 * take no notice. Errors against float64, as a share of the sum of magnitudes: 2^-17 and 2^-8 at most. */
enum matmul_precision { MATMUL_TWO_TERMS, MATMUL_ONE_TERM };
void matmul_set_precision(enum matmul_precision precision);

/* What makes one term mean the same with every kernel: to be called on activations x [n_tokens, w->cols] before their
 * product with w. With MATMUL_ONE_TERM rounds them in place, unless the product itself will; else does nothing. */
void matmul_round_activations(float *x, const struct tensor *w, int n_tokens);

/* The number of threads of the products that follow, from 1 on; 0: as many as the machine has. One where the compiler
 * has no OpenMP. */
void matmul_set_threads(int n_threads);
int matmul_threads(void);

#endif
