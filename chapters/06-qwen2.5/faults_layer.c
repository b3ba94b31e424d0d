/* faults_layer.c: mistakes with attention, the feed-forward layer and the norm, and parts left out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/require.h"
#include "faults.h"

static bool is(const char *operation, const char *name)
{
    return strcmp(operation, name) == 0;
}

/* ---- Attention ---- */

static enum status no_causal_mask(struct broken *b, struct error *error)
{
    size_t capacity = (size_t)b->reader.cache.capacity;
    size_t size = checked_product((size_t)b->reader.max_tokens, capacity);
    b->mask = malloc(size);
    if (b->mask == NULL) {
        return error_no_memory(error, "mask", size);
    }
    memset(b->mask, 1, size);
    b->reader.mask = b->mask;
    b->reader.mask_stride = capacity;
    return STATUS_OK;
}

/* Moves whole heads of one token: head h goes to the place to(h), where to counts through a grid of n_across columns by
 * the other direction. heads: one row of values; copy has the same size. */
static void transpose_heads(float *heads, float *copy, int n_heads, int head_dim, int n_across)
{
    int n_down = n_heads / n_across;
    size_t bytes = (size_t)head_dim * sizeof *heads;
    memcpy(copy, heads, (size_t)n_heads * bytes);
    for (int h = 0; h < n_heads; h++) {
        int to = h % n_across * n_down + h / n_across;
        memcpy(heads + (size_t)to * (size_t)head_dim, copy + (size_t)h * (size_t)head_dim, bytes);
    }
}

/* The block gives query head h the key head h / (n_heads / n_kv_heads). Here head h is to get h % n_kv_heads: so the
 * query heads change places before the scores, and their outputs change back. */
static void heads_by_modulo(struct broken *b, const char *operation, int layer, float *values, int n_rows,
                            int n_cols, size_t stride)
{
    const struct decoder_block_config *block = &b->model.block;
    bool before = is(operation, "q_rotated");
    (void)layer;
    if (!before && !is(operation, "attention")) {
        return;
    }
    float *copy = malloc((size_t)n_cols * sizeof *copy);
    REQUIRE(copy != NULL); /* a hook has no way to report it, and one row is small */
    for (int r = 0; r < n_rows; r++) {
        transpose_heads(values + (size_t)r * stride, copy, block->n_heads, block->head_dim,
                        before ? block->n_kv_heads : block->n_heads / block->n_kv_heads);
    }
    free(copy);
}

static void no_scale(struct broken *b, const char *operation, int layer, float *values, int n_rows,
                     int n_cols, size_t stride)
{
    (void)layer;
    float scale = (float)sqrt((double)b->model.block.head_dim);
    for (int r = 0; r < n_rows && is(operation, "q_rotated"); r++) {
        for (int i = 0; i < n_cols; i++) {
            values[(size_t)r * stride + (size_t)i] *= scale;
        }
    }
}

static enum status no_qkv_bias(struct broken *b, struct error *error)
{
    (void)error;
    for (int i = 0; i < b->model.config.n_layers; i++) {
        struct decoder_block_weights *w = &b->model.layers[i];
        w->b_q.data = w->b_k.data = w->b_v.data = NULL;
    }
    return STATUS_OK;
}

/* ---- Feed-forward layer ---- */

static enum status gate_up_swapped(struct broken *b, struct error *error)
{
    (void)error;
    for (int i = 0; i < b->model.config.n_layers; i++) {
        struct ffn *ffn = &b->model.layers[i].ffn;
        struct tensor gate = ffn->w_gate;
        ffn->w_gate = ffn->w_up;
        ffn->w_up = gate;
    }
    return STATUS_OK;
}

static enum status relu_for_silu(struct broken *b, struct error *error)
{
    (void)error;
    for (int i = 0; i < b->model.config.n_layers; i++) {
        b->model.layers[i].ffn.activation = ACTIVATION_RELU;
    }
    return STATUS_OK;
}

static void no_up_branch(struct broken *b, const char *operation, int layer, float *values, int n_rows,
                         int n_cols, size_t stride)
{
    (void)b;
    (void)layer;
    for (int r = 0; r < n_rows && is(operation, "mlp.up_proj"); r++) {
        for (int i = 0; i < n_cols; i++) {
            values[(size_t)r * stride + (size_t)i] = 1;
        }
    }
}

/* ---- Norm: its input is what the operation before it gave ---- */

static enum status keep_norm_input(struct broken *b, struct error *error)
{
    size_t n = checked_product((size_t)b->reader.max_tokens, (size_t)b->model.config.d_model);
    b->norm_input = malloc(checked_product(n, sizeof *b->norm_input));
    return b->norm_input != NULL ? STATUS_OK
                                 : error_no_memory(error, "norm", checked_product(n, sizeof *b->norm_input));
}

/* Keeps the input; true when operation is a norm. */
static bool at_norm(struct broken *b, const char *operation, const float *values, int n_rows, int n_cols,
                    size_t stride)
{
    bool before = is(operation, "embed_tokens") || is(operation, "residual") || is(operation, "output");
    for (int r = 0; r < n_rows && before; r++) {
        memcpy(b->norm_input + (size_t)r * (size_t)n_cols, values + (size_t)r * stride,
               (size_t)n_cols * sizeof *values);
    }
    return is(operation, "input_layernorm") || is(operation, "post_attention_layernorm") ||
           is(operation, "norm");
}

static void eps_outside_root(struct broken *b, const char *operation, int layer, float *values, int n_rows,
                             int n_cols, size_t stride)
{
    if (!at_norm(b, operation, values, n_rows, n_cols, stride)) {
        return;
    }
    const struct tensor *weight = is(operation, "norm")              ? &b->model.final_norm
                                  : is(operation, "input_layernorm") ? &b->model.layers[layer].attn_norm
                                                                     : &b->model.layers[layer].ffn_norm;
    for (int r = 0; r < n_rows; r++) {
        const float *x = b->norm_input + (size_t)r * (size_t)n_cols;
        double sum = 0;
        for (int i = 0; i < n_cols; i++) {
            sum += (double)x[i] * (double)x[i];
        }
        double scale = 1 / (sqrt(sum / n_cols) + b->model.config.rms_norm_eps);
        for (int i = 0; i < n_cols; i++) {
            values[(size_t)r * stride + (size_t)i] =
                (float)((double)x[i] * scale * (double)tensor_at(weight, 0, i));
        }
    }
}

static void no_norm(struct broken *b, const char *operation, int layer, float *values, int n_rows, int n_cols,
                    size_t stride)
{
    (void)layer;
    bool norm = at_norm(b, operation, values, n_rows, n_cols, stride);
    for (int r = 0; r < n_rows && norm; r++) {
        memcpy(values + (size_t)r * stride, b->norm_input + (size_t)r * (size_t)n_cols,
               (size_t)n_cols * sizeof *values);
    }
}

const struct fault faults_of_the_layer[] = {
    {"no_causal_mask", "it sees the answer, and is worse", no_causal_mask, NULL, NULL},
    {"heads_grouped_by_modulo", "head h reads h % n_kv_heads", NULL, heads_by_modulo, "q_rotated"},
    {"no_scale", "scores not divided", NULL, no_scale, "q_rotated"},
    {"no_qkv_bias", "W x without b", no_qkv_bias, NULL, NULL},
    {"gate_up_swapped", "up through SiLU", gate_up_swapped, NULL, NULL},
    {"relu_for_silu", "another activation", relu_for_silu, NULL, NULL},
    {"no_up_branch", "silu(gate) alone", NULL, no_up_branch, NULL},
    {"eps_outside_root", "x / (rms + eps)", keep_norm_input, eps_outside_root, NULL},
    {"no_norm", "RMSNorm left out", keep_norm_input, no_norm, NULL},
    {NULL, NULL, NULL, NULL, NULL}};
