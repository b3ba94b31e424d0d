/* ffn.h: the feed-forward layer of a transformer block, with and without a gate.
 * Introduced in chapter 4.
 *
 *     FFN(x)    = W_down act(W_up x + b_up) + b_down                                  Vaswani et al. 2017, 3.3
 *     GLU(x)    = W_down (act(W_gate x + b_gate) * (W_up x + b_up)) + b_down          Shazeer 2020
 *
 * act = sigmoid is GLU, act = SiLU is SwiGLU (Qwen2.5, LLaMA), act = GELU is GEGLU, act = identity the bilinear layer.
 * Any bias may be missing. A fused matrix [2 d_ff, d_model] (gate rows first, then up) is two tensor_rows of it. */
#ifndef COMMON_FFN_H
#define COMMON_FFN_H

#include <stddef.h>

#include "common/activation.h"
#include "common/hook.h"
#include "common/rng.h"
#include "common/tensor.h"

struct ffn {
    enum activation activation;
    struct tensor w_gate; /* [d_ff, d_model]; not present: no gate */
    struct tensor b_gate; /* [1, d_ff] or not present */
    struct tensor w_up;   /* [d_ff, d_model] */
    struct tensor b_up;   /* [1, d_ff] or not present */
    struct tensor w_down; /* [d_model, d_ff] */
    struct tensor b_down; /* [1, d_model] or not present */
};

/* Number of floats that ffn_forward needs as scratch: 2 * n_tokens * d_ff; SIZE_MAX if that does not fit. */
size_t ffn_scratch_size(int d_ff, int n_tokens);

/* out      [n_tokens, d_model]; may be x
 * x        [n_tokens, d_model]
 * scratch  [ffn_scratch_size]
 * rng      training: dropout with this rate on the hidden layer; NULL: inference
 * hook     may be NULL; sees "mlp.gate_proj", "mlp.up_proj", "mlp.act" (after activation, product with up and dropout)
 *          and "mlp.down_proj" of this layer */
void ffn_forward(float *out, const float *x, const struct ffn *ffn, int n_tokens, float *scratch,
                 double dropout_rate, struct rng *rng, const struct hook *hook, int layer);

/* The d_ff of a gated layer (three matrices) that has as many parameters as an ungated one (two) of the given d_ff:
 * 2/3 of it, rounded up to a multiple of multiple. requires multiple > 0. */
int ffn_gated_width(int d_ff, int multiple);

#endif
