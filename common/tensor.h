/* tensor.h: a view of a matrix of weights, in the type in which the file holds it.
 * Introduced in chapter 4.
 *
 * Rows are contiguous and follow each other; a vector (bias, norm weight) is a matrix of one row. The data may lie at
 * any address: a safetensors file promises no alignment, so nothing here casts the pointer to float *. */
#ifndef COMMON_TENSOR_H
#define COMMON_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "weights files are little-endian and used in place: chapters 4 to 6 need a little-endian machine"
#endif

enum dtype { DTYPE_F32, DTYPE_BF16, DTYPE_F16 };

size_t dtype_size(enum dtype dtype);      /* bytes of one element */
const char *dtype_name(enum dtype dtype); /* "F32", "BF16", "F16": safetensors' names */

struct tensor {
    const void *data; /* borrowed; NULL: there is no such tensor (a missing bias) */
    enum dtype dtype;
    int rows, cols;
};

/* A view of float32 memory. */
struct tensor tensor_f32(const float *data, int rows, int cols);
/* The n_rows rows from first on: the gate half of a fused gate and up matrix. */
struct tensor tensor_rows(const struct tensor *tensor, int first, int n_rows);

bool tensor_present(const struct tensor *tensor);
float tensor_at(const struct tensor *tensor, int row, int col);
/* One row widened to float32; out [cols]. */
void tensor_row(float *out, const struct tensor *tensor, int row);

float f16_to_f32(uint16_t x); /* IEEE half precision; exact, subnormals, infinities and NaN included */

#endif
