#include "common/tensor.h"

#include <string.h>

#include "common/bf16.h"
#include "common/require.h"

size_t dtype_size(enum dtype dtype)
{
    return dtype == DTYPE_F32 ? 4 : 2;
}

const char *dtype_name(enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_F32: return "F32";
    case DTYPE_BF16: return "BF16";
    case DTYPE_F16: return "F16";
    }
    return "?";
}

struct tensor tensor_f32(const float *data, int rows, int cols)
{
    REQUIRE(data != NULL && rows >= 0 && cols >= 0);
    return (struct tensor){.data = data, .dtype = DTYPE_F32, .rows = rows, .cols = cols};
}

static const unsigned char *element_address(const struct tensor *tensor, int row, int col)
{
    size_t index = (size_t)row * (size_t)tensor->cols + (size_t)col;
    return (const unsigned char *)tensor->data + index * dtype_size(tensor->dtype);
}

struct tensor tensor_rows(const struct tensor *tensor, int first, int n_rows)
{
    REQUIRE(tensor_present(tensor) && first >= 0 && n_rows >= 0 && first <= tensor->rows - n_rows);
    struct tensor part = *tensor;
    part.data = element_address(tensor, first, 0);
    part.rows = n_rows;
    return part;
}

bool tensor_present(const struct tensor *tensor)
{
    return tensor != NULL && tensor->data != NULL;
}

static float widen(const unsigned char *bytes, enum dtype dtype)
{
    float value;
    uint16_t half;
    if (dtype == DTYPE_F32) {
        memcpy(&value, bytes, sizeof value);
        return value;
    }
    memcpy(&half, bytes, sizeof half);
    return dtype == DTYPE_BF16 ? bf16_to_f32(half) : f16_to_f32(half);
}

float tensor_at(const struct tensor *tensor, int row, int col)
{
    REQUIRE(row >= 0 && row < tensor->rows && col >= 0 && col < tensor->cols);
    return widen(element_address(tensor, row, col), tensor->dtype);
}

void tensor_row(float *out, const struct tensor *tensor, int row)
{
    REQUIRE(row >= 0 && row < tensor->rows);
    const unsigned char *bytes = element_address(tensor, row, 0);
    size_t size = dtype_size(tensor->dtype);
    for (int col = 0; col < tensor->cols; col++) {
        out[col] = widen(bytes + (size_t)col * size, tensor->dtype);
    }
}

/*     half     seeeee mmmmmmmmmm             value = 2^(e - 15) 1.m, or 2^-14 0.m where e = 0
 *     float32  seeeeeeee mmmmmmmmmm0000...   value = 2^(e - 127) 1.m */
float f16_to_f32(uint16_t x)
{
    uint32_t sign = (uint32_t)(x & 0x8000) << 16;
    uint32_t exponent = (x >> 10) & 31;
    uint32_t mantissa = x & 0x3ff;
    uint32_t bits;
    if (exponent == 31) { /* infinity or NaN: all ones stays all ones */
        bits = sign | 0x7f800000 | mantissa << 13;
    } else if (exponent != 0) {
        bits = sign | (exponent + 127 - 15) << 23 | mantissa << 13;
    } else { /* zero or subnormal: mantissa * 2^-24, which float32 holds exactly */
        float magnitude = (float)mantissa * 0x1p-24f;
        memcpy(&bits, &magnitude, sizeof bits);
        bits |= sign;
    }
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
