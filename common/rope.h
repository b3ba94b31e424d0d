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

#include "common/rope_table.h"

enum rope_layout { ROPE_HALF, ROPE_INTERLEAVED };

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
 * What transformers' LLaMA conversion (convert_llama_weights_to_hf.py, permute) does to W_q and W_k.
 * rope_rows_to_interleaved is the inverse. */
void rope_rows_to_half(float *out, const float *in, int n_heads, int head_dim, int n_cols);
void rope_rows_to_interleaved(float *out, const float *in, int n_heads, int head_dim, int n_cols);

#endif
