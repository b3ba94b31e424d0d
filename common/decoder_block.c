#include "common/decoder_block.h"

#include <stdbool.h>
#include <stdint.h>

#include "common/attention.h"
#include "common/dropout.h"
#include "common/matmul.h"
#include "common/require.h"
#include "common/rmsnorm.h"

/* Where the intermediate values of one pass lie in the scratch. The last part is used twice, by attention and by the
 * FFN. */
struct buffers {
    float *normed;            /* [n_tokens, d_model], then the output of each branch */
    float *q;                 /* [n_tokens, n_heads * head_dim], then what attention returns */
    float *k, *v;             /* [n_tokens, n_kv_heads * head_dim] */
    float *attention_weights; /* [n_tokens, n_heads, longest] or NULL */
    float *attention;         /* [attention_scratch_size] */
    float *ffn;               /* [ffn_scratch_size] */
};

/* Everything that stays the same through one call. */
struct pass {
    const struct decoder_block_config *config;
    const struct decoder_block_weights *weights;
    const struct batch *batch;
    int layer;
    const struct rope_table *rope;
    double dropout_rate;
    struct rng *rng; /* NULL at inference */
    const struct hook *hook;
    int q_width, kv_width;
    int longest; /* slots in use in the longest sequence, when the weights are wanted */
};

static bool wants_attention_weights(const struct hook *hook)
{
    return hook != NULL && hook->attention_weights;
}

/* Sums that stay SIZE_MAX once they do not fit. */
static size_t checked_sum(size_t a, size_t b)
{
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

static size_t attention_weights_size(const struct decoder_block_config *config, const struct batch *batch,
                                     const struct hook *hook)
{
    if (!wants_attention_weights(hook)) {
        return 0;
    }
    return checked_product(checked_product((size_t)batch->n_tokens, (size_t)config->n_heads),
                           (size_t)batch_longest_sequence(batch));
}

size_t decoder_block_scratch_size(const struct decoder_block_config *config, const struct batch *batch,
                                  const struct hook *hook)
{
    size_t n_tokens = (size_t)batch->n_tokens;
    size_t head_dim = (size_t)config->head_dim;
    size_t qkv_heads = (size_t)config->n_heads + 2 * (size_t)config->n_kv_heads;
    size_t of_token = checked_sum((size_t)config->d_model, checked_product(qkv_heads, head_dim));
    size_t attention = checked_sum(attention_weights_size(config, batch, hook),
                                   attention_scratch_size(batch, config->n_heads));
    size_t ffn = ffn_scratch_size(config->d_ff, batch->n_tokens);
    return checked_sum(checked_product(n_tokens, of_token), attention > ffn ? attention : ffn);
}

static struct buffers place_buffers(float *scratch, const struct pass *pass)
{
    size_t n_tokens = (size_t)pass->batch->n_tokens;
    struct buffers b;
    b.normed = scratch;
    b.q = b.normed + n_tokens * (size_t)pass->config->d_model;
    b.k = b.q + n_tokens * (size_t)pass->q_width;
    b.v = b.k + n_tokens * (size_t)pass->kv_width;
    float *rest = b.v + n_tokens * (size_t)pass->kv_width;
    b.attention_weights = wants_attention_weights(pass->hook) ? rest : NULL;
    b.attention = rest + attention_weights_size(pass->config, pass->batch, pass->hook);
    b.ffn = rest;
    return b;
}

static void see(const struct pass *pass, const char *operation, float *values, int width)
{
    hook_call(pass->hook, operation, pass->layer, values, pass->batch->n_tokens, width, (size_t)width);
}

/* Fewer tokens are done before another thread has woken up. */
enum { FEW_TOKENS = 32 };

/* What a branch computed is dropped out while training, then added to the residual stream. */
static void add_branch(const struct pass *pass, float *x, float *branch)
{
    const int n_tokens = pass->batch->n_tokens;
    size_t n = (size_t)n_tokens * (size_t)pass->config->d_model;
    dropout_apply(branch, n, pass->dropout_rate, pass->rng);
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(matmul_threads()) if (n_tokens > FEW_TOKENS)
#endif
    for (size_t i = 0; i < n; i++) {
        x[i] += branch[i];
    }
}

static void project_qkv(const struct pass *pass, const struct buffers *b)
{
    const struct decoder_block_weights *w = pass->weights;
    const struct matmul_part parts[] = {
        {b->q, (size_t)pass->q_width, &w->w_q, &w->b_q},
        {b->k, (size_t)pass->kv_width, &w->w_k, &w->b_k},
        {b->v, (size_t)pass->kv_width, &w->w_v, &w->b_v},
    };
    for (int i = 0; i < 3; i++) { /* rounding again changes nothing; the weights may be of several types */
        matmul_round_activations(b->normed, parts[i].w, pass->batch->n_tokens);
    }
    matmul_parts(parts, 3, b->normed, (size_t)pass->config->d_model, pass->batch->n_tokens);
    see(pass, "q_proj", b->q, pass->q_width);
    see(pass, "k_proj", b->k, pass->kv_width);
    see(pass, "v_proj", b->v, pass->kv_width);
}

/* Q and K turn by their token's position; V says what a token contributes, not where it stands. */
static void rotate_qk(const struct pass *pass, const struct buffers *b)
{
    const struct decoder_block_config *c = pass->config;
    const struct batch *batch = pass->batch;
    const size_t q_width = (size_t)pass->q_width, kv_width = (size_t)pass->kv_width,
                 head_dim = (size_t)c->head_dim;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(matmul_threads()) if (batch->n_tokens > FEW_TOKENS)
#endif
    for (int t = 0; t < batch->n_tokens; t++) {
        rope_apply(b->q + (size_t)t * q_width, c->rope_layout, pass->rope, &batch->position[t], 1, c->n_heads,
                   q_width, head_dim);
        rope_apply(b->k + (size_t)t * kv_width, c->rope_layout, pass->rope, &batch->position[t], 1,
                   c->n_kv_heads, kv_width, head_dim);
    }
    see(pass, "q_rotated", b->q, pass->q_width);
    see(pass, "k_rotated", b->k, pass->kv_width);
}

static void attend(const struct pass *pass, const struct buffers *b)
{
    const struct batch *batch = pass->batch;
    attention_store(batch, pass->layer, b->k, b->v);
    attention_forward(b->q, b->q, batch, pass->layer, pass->config->n_heads, b->attention_weights,
                      pass->longest, b->attention, pass->dropout_rate, pass->rng);
    if (b->attention_weights != NULL) {
        hook_call(pass->hook, "attention.weights", pass->layer, b->attention_weights,
                  batch->n_tokens * pass->config->n_heads, pass->longest, (size_t)pass->longest);
    }
    see(pass, "attention", b->q, pass->q_width);
}

static void attention_branch(float *x, const struct pass *pass, const struct buffers *b)
{
    const struct decoder_block_config *c = pass->config;
    const struct decoder_block_weights *w = pass->weights;
    int n_tokens = pass->batch->n_tokens;
    rmsnorm(b->normed, x, &w->attn_norm, c->rms_norm_eps, n_tokens, c->d_model);
    see(pass, "input_layernorm", b->normed, c->d_model);
    project_qkv(pass, b);
    rotate_qk(pass, b);
    attend(pass, b);
    matmul_round_activations(b->q, &w->w_o, n_tokens);
    matmul(b->normed, (size_t)c->d_model, b->q, (size_t)pass->q_width, &w->w_o, &w->b_o, n_tokens);
    see(pass, "o_proj", b->normed, c->d_model);
    add_branch(pass, x, b->normed);
    see(pass, "residual", x, c->d_model);
}

static void ffn_branch(float *x, const struct pass *pass, const struct buffers *b)
{
    const struct decoder_block_config *c = pass->config;
    const struct decoder_block_weights *w = pass->weights;
    int n_tokens = pass->batch->n_tokens;
    rmsnorm(b->normed, x, &w->ffn_norm, c->rms_norm_eps, n_tokens, c->d_model);
    see(pass, "post_attention_layernorm", b->normed, c->d_model);
    matmul_round_activations(b->normed, &w->ffn.w_up, n_tokens);
    if (tensor_present(&w->ffn.w_gate)) {
        matmul_round_activations(b->normed, &w->ffn.w_gate, n_tokens);
    }
    ffn_forward(b->normed, b->normed, &w->ffn, n_tokens, b->ffn, pass->dropout_rate, pass->rng, pass->hook,
                pass->layer);
    add_branch(pass, x, b->normed);
    see(pass, "output", x, c->d_model);
}

void decoder_block_forward(float *x, const struct decoder_block_config *config,
                           const struct decoder_block_weights *weights, const struct batch *batch, int layer,
                           const struct rope_table *rope, float *scratch,
                           const struct decoder_block_training *training, const struct hook *hook)
{
    REQUIRE(config->n_kv_heads > 0 && config->n_heads % config->n_kv_heads == 0);
    REQUIRE(weights->w_q.rows == config->n_heads * config->head_dim && weights->w_q.cols == config->d_model);
    REQUIRE(weights->w_k.rows == config->n_kv_heads * config->head_dim &&
            weights->w_v.rows == weights->w_k.rows);
    REQUIRE(weights->w_o.rows == config->d_model && weights->w_o.cols == weights->w_q.rows);
    REQUIRE(weights->ffn.w_up.rows == config->d_ff && rope->head_dim == config->head_dim);
    if (batch->n_tokens == 0) {
        return;
    }
    struct pass pass = {.config = config,
                        .weights = weights,
                        .batch = batch,
                        .layer = layer,
                        .rope = rope,
                        .dropout_rate = training != NULL ? training->dropout_rate : 0.0,
                        .rng = training != NULL ? training->rng : NULL,
                        .hook = hook,
                        .q_width = config->n_heads * config->head_dim,
                        .kv_width = config->n_kv_heads * config->head_dim,
                        .longest = batch_longest_sequence(batch)};
    struct buffers buffers = place_buffers(scratch, &pass);
    attention_branch(x, &pass, &buffers);
    ffn_branch(x, &pass, &buffers);
}
