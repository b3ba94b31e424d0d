#include "common/rope.h"

#include <string.h>

#include "common/bf16.h"
#include "common/require.h"

/* ---- The rotation ---- */

/* The row of the table that all heads of a token share. */
static size_t row_of(const struct rope_table *table, int32_t position)
{
    REQUIRE(position >= 0 && position < table->n_positions);
    return (size_t)position * (size_t)(table->head_dim / 2);
}

void rope_apply_half(float *x, const struct rope_table *table, const int32_t *position, int n_tokens,
                     int n_heads, size_t token_stride, size_t head_stride)
{
    int half = table->head_dim / 2;
    for (int t = 0; t < n_tokens; t++) {
        const float *cosine = table->cosine + row_of(table, position[t]);
        const float *sine = table->sine + row_of(table, position[t]);
        for (int h = 0; h < n_heads; h++) {
            float *first = x + (size_t)t * token_stride + (size_t)h * head_stride;
            float *second = first + half;
            for (int i = 0; i < half; i++) {
                float a = first[i], b = second[i];
                first[i] = a * cosine[i] - b * sine[i];
                second[i] = a * sine[i] + b * cosine[i];
            }
        }
    }
}

void rope_apply_interleaved(float *x, const struct rope_table *table, const int32_t *position, int n_tokens,
                            int n_heads, size_t token_stride, size_t head_stride)
{
    int half = table->head_dim / 2;
    for (int t = 0; t < n_tokens; t++) {
        const float *cosine = table->cosine + row_of(table, position[t]);
        const float *sine = table->sine + row_of(table, position[t]);
        for (int h = 0; h < n_heads; h++) {
            float *head = x + (size_t)t * token_stride + (size_t)h * head_stride;
            for (int i = 0; i < half; i++) {
                float a = head[2 * i], b = head[2 * i + 1];
                head[2 * i] = a * cosine[i] - b * sine[i];
                head[2 * i + 1] = a * sine[i] + b * cosine[i];
            }
        }
    }
}

void rope_apply(float *x, enum rope_layout layout, const struct rope_table *table, const int32_t *position,
                int n_tokens, int n_heads, size_t token_stride, size_t head_stride)
{
    if (layout == ROPE_HALF) {
        rope_apply_half(x, table, position, n_tokens, n_heads, token_stride, head_stride);
    } else {
        rope_apply_interleaved(x, table, position, n_tokens, n_heads, token_stride, head_stride);
    }
}

void rope_rotate_f64(double *x, enum rope_layout layout, const double *cosine, const double *sine,
                     int head_dim)
{
    int half = head_dim / 2;
    for (int i = 0; i < half; i++) {
        int first = layout == ROPE_HALF ? i : 2 * i;
        int second = layout == ROPE_HALF ? i + half : 2 * i + 1;
        double a = x[first], b = x[second];
        x[first] = a * cosine[i] - b * sine[i];
        x[second] = a * sine[i] + b * cosine[i];
    }
}

/* PyTorch has no fused rotation in bfloat16: every operation rounds its result. The product of two bfloat16 values fits
 * float32 exactly, so rounding it once here is rounding it once there. */
static float product_bf16(uint16_t a, uint16_t b)
{
    return bf16_round(bf16_to_f32(a) * bf16_to_f32(b));
}

void rope_rotate_half_bf16(uint16_t *x, const uint16_t *cosine, const uint16_t *sine, int head_dim)
{
    int half = head_dim / 2;
    for (int i = 0; i < half; i++) {
        uint16_t a = x[i], b = x[i + half];
        x[i] = bf16_from_f32(product_bf16(a, cosine[i]) - product_bf16(b, sine[i]));
        x[i + half] = bf16_from_f32(product_bf16(b, cosine[i]) + product_bf16(a, sine[i]));
    }
}

/* ---- From one layout to the other ---- */

static void copy_row(float *out, int out_row, const float *in, int in_row, int n_cols)
{
    size_t width = (size_t)n_cols;
    memcpy(out + (size_t)out_row * width, in + (size_t)in_row * width, width * sizeof *out);
}

void rope_rows_to_half(float *out, const float *in, int n_heads, int head_dim, int n_cols)
{
    int half = head_dim / 2;
    for (int h = 0; h < n_heads; h++) {
        for (int i = 0; i < half; i++) {
            copy_row(out, h * head_dim + i, in, h * head_dim + 2 * i, n_cols);
            copy_row(out, h * head_dim + half + i, in, h * head_dim + 2 * i + 1, n_cols);
        }
    }
}

void rope_rows_to_interleaved(float *out, const float *in, int n_heads, int head_dim, int n_cols)
{
    int half = head_dim / 2;
    for (int h = 0; h < n_heads; h++) {
        for (int i = 0; i < half; i++) {
            copy_row(out, h * head_dim + 2 * i, in, h * head_dim + i, n_cols);
            copy_row(out, h * head_dim + 2 * i + 1, in, h * head_dim + half + i, n_cols);
        }
    }
}
