/* decoder_block.h: one pre-norm transformer layer; the multi-head form and Qwen2.5's are the same function.
 * Introduced in chapter 5.
 *
 *     h = x + W_o attention(rope(W_q norm(x)), rope(W_k norm(x)), W_v norm(x))
 *     y = h + ffn(norm(h))
 *
 *                       multi-head                  Qwen2.5
 *     heads             n_kv_heads = n_heads        n_kv_heads < n_heads
 *     biases            on every projection         on Q, K, V
 *     gate and up       rows of one matrix          two matrices
 *     eps of the norm   1e-8                        1e-6
 *
 * Multi-head: the attention of Vaswani et al. 2017 in a pre-norm layer with rotation, RMSNorm and a gated FFN. */
#ifndef COMMON_DECODER_BLOCK_H
#define COMMON_DECODER_BLOCK_H

#include "common/ffn.h"
#include "common/hook.h"
#include "common/kv_cache.h"
#include "common/rope.h"
#include "common/tensor.h"

struct decoder_block_config {
    int d_model, n_heads, n_kv_heads, head_dim, d_ff;
    double rms_norm_eps;
    enum rope_layout rope_layout;
};

struct decoder_block_weights {
    struct tensor attn_norm; /* [1, d_model] */
    struct tensor w_q, b_q;  /* [n_heads * head_dim, d_model], [1, n_heads * head_dim] */
    struct tensor w_k, b_k;  /* [n_kv_heads * head_dim, d_model] */
    struct tensor w_v, b_v;  /* as w_k */
    struct tensor w_o, b_o;  /* [d_model, n_heads * head_dim] */
    struct tensor ffn_norm;  /* [1, d_model] */
    struct ffn ffn;          /* a bias that is not present is not added */
};

/* While training: seeded dropout on the attention weights, the FFN's hidden layer and both branches before they are
 * added. At inference rng is NULL and nothing is dropped. */
struct decoder_block_training {
    double dropout_rate;
    struct rng *rng;
};

/* Number of floats that decoder_block_forward needs as scratch for a placed batch, with this hook (or NULL) and the
 * number of threads set now (matmul_set_threads). SIZE_MAX when it does not fit. */
size_t decoder_block_scratch_size(const struct decoder_block_config *config, const struct batch *batch,
                                  const struct hook *hook);

/* x         [n_tokens, d_model], in place
 * batch     placed (batch_place); layer: which layer of its caches (and of the hook)
 * rope      with a row for every position in the batch
 * scratch   [decoder_block_scratch_size]
 * training  NULL at inference
 * hook      NULL or called after each operation, in this order:
 *           "input_layernorm", "q_proj", "k_proj", "v_proj", "q_rotated", "k_rotated",
 *           "attention.weights" ([n_tokens * n_heads, longest sequence]; only for a hook that wants them, and already
 *           used: writing them changes nothing), "attention", "o_proj", "residual", "post_attention_layernorm", the
 *           ffn's four, "output" */
void decoder_block_forward(float *x, const struct decoder_block_config *config,
                           const struct decoder_block_weights *weights, const struct batch *batch, int layer,
                           const struct rope_table *rope, float *scratch,
                           const struct decoder_block_training *training, const struct hook *hook);

#endif
