/* attention.h: scaled dot-product attention over KV caches, multi-head and grouped-query.
 * Introduced in chapter 5. Vaswani et al. 2017, 3.2.1; grouped heads: Ainslie et al. 2023, arXiv 2305.13245. */
#ifndef COMMON_ATTENTION_H
#define COMMON_ATTENTION_H

#include "common/kv_cache.h"
#include "common/rng.h"

/* For token t of the batch, query head h and g = h / (n_heads / n_kv_heads), over the slots s that t may see:
 *
 *     weight[s]  = softmax_s(q[t, h] . k[s, g] / sqrt(head_dim))
 *     out[t, h]  = sum_s weight[s] v[s, g]
 *
 * A token that may see nothing gets zeros. Hidden slots are skipped, not multiplied by 0: what they hold (NaN, garbage)
 * does not matter.
 *
 * out, q    [n_tokens, n_heads * head_dim]; q already rotated; out may be q
 * batch     placed (batch_place), K and V of all its tokens already in their caches (attention_store)
 * layer     which layer of the caches
 * weights   NULL, or [n_tokens, n_heads, weights_stride]: filled with the weights of slots 0 .. weights_stride-1, 0
 *           where hidden; weights_stride >= the longest sequence
 * scratch   [attention_scratch_size]
 * rng       training: dropout on the weights; NULL: inference. weights then holds what dropout left.
 * requires n_heads divisible by the caches' n_kv_heads. */
void attention_forward(float *out, const float *q, const struct batch *batch, int layer, int n_heads,
                       float *weights, int weights_stride, float *scratch, double dropout_rate,
                       struct rng *rng);

size_t attention_scratch_size(const struct batch *batch, int n_heads);

/* Copies K and V of every token into its slot. k, v [n_tokens, n_kv_heads * head_dim]; k already rotated. */
void attention_store(const struct batch *batch, int layer, const float *k, const float *v);

#endif
