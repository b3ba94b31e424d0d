#include "common/rope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/bf16.h"
#include "common/require.h"

/* ---- Angles ---- */

void rope_inv_freq(double *inv_freq, int head_dim, double theta)
{
    REQUIRE(head_dim > 0 && head_dim % 2 == 0);
    REQUIRE(theta > 0.0);
    for (int i = 0; i < head_dim / 2; i++) {
        inv_freq[i] = pow(theta, -2.0 * i / head_dim);
    }
}

void rope_angles(double *cosine, double *sine, const double *inv_freq, int n_pairs, double position)
{
    for (int i = 0; i < n_pairs; i++) {
        double angle = position * inv_freq[i];
        cosine[i] = cos(angle);
        sine[i] = sin(angle);
    }
}

/* ---- The table ---- */

enum status rope_table_init(struct rope_table *table, int head_dim, double theta, int n_positions,
                            struct error *error)
{
    REQUIRE(head_dim > 0 && head_dim % 2 == 0);
    REQUIRE(theta > 0.0);
    REQUIRE(n_positions >= 0);
    *table = (struct rope_table){.head_dim = head_dim, .theta = theta};
    size_t bytes = checked_product((size_t)head_dim / 2, sizeof *table->inv_freq);
    table->inv_freq = malloc(bytes);
    if (table->inv_freq == NULL) {
        return error_no_memory(error, "RoPE frequencies", bytes);
    }
    rope_inv_freq(table->inv_freq, head_dim, theta);
    enum status status = rope_table_reserve(table, n_positions, error);
    if (status != STATUS_OK) {
        rope_table_free(table);
    }
    return status;
}

static void fill_row(struct rope_table *table, int position)
{
    size_t half = (size_t)table->head_dim / 2;
    float *cosine = table->cosine + (size_t)position * half;
    float *sine = table->sine + (size_t)position * half;
    for (size_t i = 0; i < half; i++) {
        double c, s;
        rope_angles(&c, &s, &table->inv_freq[i], 1, position);
        cosine[i] = (float)c;
        sine[i] = (float)s;
    }
}

enum status rope_table_reserve(struct rope_table *table, int n_positions, struct error *error)
{
    if (n_positions <= table->n_positions) {
        return STATUS_OK;
    }
    size_t row_bytes = checked_product((size_t)table->head_dim / 2, sizeof(float));
    size_t bytes = checked_product((size_t)n_positions, row_bytes);
    /* Both halves are obtained before either is touched: a failure leaves the table whole. */
    float *cosine = malloc(bytes);
    float *sine = malloc(bytes);
    if (cosine == NULL || sine == NULL) {
        free(cosine);
        free(sine);
        return error_no_memory(error, "RoPE table", bytes);
    }
    if (table->n_positions > 0) {
        memcpy(cosine, table->cosine, (size_t)table->n_positions * row_bytes);
        memcpy(sine, table->sine, (size_t)table->n_positions * row_bytes);
    }
    free(table->cosine);
    free(table->sine);
    table->cosine = cosine;
    table->sine = sine;
    for (int position = table->n_positions; position < n_positions; position++) {
        fill_row(table, position);
    }
    table->n_positions = n_positions;
    return STATUS_OK;
}

void rope_table_free(struct rope_table *table)
{
    free(table->inv_freq);
    free(table->cosine);
    free(table->sine);
    *table = (struct rope_table){0};
}

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
