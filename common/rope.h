/* rope.h: rotary position embedding. Rotates pairs of a query's or key's elements by an angle that grows with the
 * token's position, so that a score depends on the distance of two tokens.
 * Introduced in chapter 3. Su et al. 2021, "RoFormer", arXiv 2104.09864.
 *
 * Two layouts are in use; a checkpoint is trained with one of them and works with no other:
 *
 *     half          pairs (x[i], x[i + head_dim/2])     [a a a a b b b b]     GPT-NeoX, Hugging Face, Qwen2.5
 *     interleaved   pairs (x[2i], x[2i + 1])            [a b a b a b a b]     RoFormer, LLaMA's original weights */
#ifndef COMMON_ROPE_H
#define COMMON_ROPE_H

#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

enum rope_layout { ROPE_HALF, ROPE_INTERLEAVED };

/* inv_freq[i] = theta^(-2i / head_dim), the radians that pair i turns per token; inv_freq [head_dim/2].
 * requires head_dim even, theta > 0. */
void rope_inv_freq(double *inv_freq, int head_dim, double theta);

/* cos and sin of position * inv_freq[i], computed in float64. Both [n_pairs]. */
void rope_angles(double *cosine, double *sine, const double *inv_freq, int n_pairs, double position);

/* cos and sin of every position from 0 on, for all layers and heads. Computed in float64 and rounded once: at position
 * 131071 float32 angles are already off by 2e-3. */
struct rope_table {
    int head_dim;
    double theta;
    int n_positions;  /* rows that are filled */
    double *inv_freq; /* [head_dim/2], owned */
    float *cosine;    /* [n_positions, head_dim/2], owned */
    float *sine;      /* [n_positions, head_dim/2], owned */
};

/* errors: STATUS_NO_MEMORY. requires head_dim even and > 0, theta > 0, n_positions >= 0. */
enum status rope_table_init(struct rope_table *table, int head_dim, double theta, int n_positions,
                            struct error *error);
/* Makes rows 0 .. n_positions-1 available; existing rows do not change, fewer rows change nothing. On failure the table
 * stays as it was. Every growth copies the table: ask once for the longest sequence that may come.
 * errors: STATUS_NO_MEMORY. */
enum status rope_table_reserve(struct rope_table *table, int n_positions, struct error *error);
void rope_table_free(struct rope_table *table); /* also of a zeroed struct */

/* Rotate the pairs of every head by the angle of its token's position, in place:
 *
 *     (a, b) -> (a cos - b sin, a sin + b cos)
 *
 * x         element (t, h, i) at x[t * token_stride + h * head_stride + i]: any of [tokens, heads, head_dim],
 *           [batch, seq, heads, head_dim] and [batch, heads, seq, head_dim] (one call a sequence)
 * position  [n_tokens], each in 0 .. table->n_positions-1 (rope_table_reserve first)
 * Q and K only; V is not rotated. Position 0 changes nothing.
 * The half layout: transformers, modeling_qwen2.py, apply_rotary_pos_emb; interleaved: Su et al. 2021, 3.4.2. */
void rope_apply_half(float *x, const struct rope_table *table, const int32_t *position, int n_tokens,
                     int n_heads, size_t token_stride, size_t head_stride);
void rope_apply_interleaved(float *x, const struct rope_table *table, const int32_t *position, int n_tokens,
                            int n_heads, size_t token_stride, size_t head_stride);
void rope_apply(float *x, enum rope_layout layout, const struct rope_table *table, const int32_t *position,
                int n_tokens, int n_heads, size_t token_stride, size_t head_stride);

/* One head in float64, for proofs. x [head_dim]; cosine, sine [head_dim/2]. */
void rope_rotate_f64(double *x, enum rope_layout layout, const double *cosine, const double *sine,
                     int head_dim);

/* One head in bfloat16 arithmetic as PyTorch does it, half layout: both products and the sum are rounded.
 * x [head_dim]; cosine, sine [head_dim/2], all bfloat16. */
void rope_rotate_half_bf16(uint16_t *x, const uint16_t *cosine, const uint16_t *sine, int head_dim);

/* The permutation of rows that turns a projection trained for the interleaved layout into one for the half layout,
 * within each head: out row h*head_dim + i = in row h*head_dim + 2i, out row h*head_dim + head_dim/2 + i = in row
 * h*head_dim + 2i + 1. A bias is a matrix of one column. in, out [n_heads * head_dim, n_cols]; no aliasing.
 * What transformers' LLaMA conversion (convert_llama_weights_to_hf.py, permute) does to W_q and W_k. */
void rope_rows_to_half(float *out, const float *in, int n_heads, int head_dim, int n_cols);
void rope_rows_to_interleaved(float *out, const float *in, int n_heads, int head_dim, int n_cols);

#endif
