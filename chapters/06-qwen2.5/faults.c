/* faults.c: see faults.h. Each fault is a mistake that someone has made, or a part that one may think superfluous. */
#include "faults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/require.h"

static bool is(const char *operation, const char *name)
{
    return strcmp(operation, name) == 0;
}

/* ---- Rotation ---- */

static enum status no_rotation(struct broken *b, struct error *error)
{
    struct rope_table *rope = &b->reader.run.rope;
    size_t n = (size_t)rope->n_positions * (size_t)(rope->head_dim / 2);
    (void)error;
    for (size_t i = 0; i < n; i++) {
        rope->cosine[i] = 1;
        rope->sine[i] = 0;
    }
    return STATUS_OK;
}

static enum status theta_10000(struct broken *b, struct error *error)
{
    struct rope_table *rope = &b->reader.run.rope;
    int n_positions = rope->n_positions;
    int head_dim = rope->head_dim;
    rope_table_free(rope);
    return rope_table_init(rope, head_dim, 1e4, n_positions, error);
}

static enum status interleaved_pairs(struct broken *b, struct error *error)
{
    (void)error;
    b->model.block.rope_layout = ROPE_INTERLEAVED;
    return STATUS_OK;
}

static void rotate_again(const struct broken *b, const struct rope_table *table, float *values, int n_rows,
                         int n_cols, size_t stride)
{
    int head_dim = b->model.block.head_dim;
    rope_apply(values, b->model.block.rope_layout, table, b->reader.position, n_rows, n_cols / head_dim,
               stride, (size_t)head_dim);
}

static void keys_rotated_twice(struct broken *b, const char *operation, int layer, float *values, int n_rows,
                               int n_cols, size_t stride)
{
    (void)layer;
    if (is(operation, "k_rotated")) {
        rotate_again(b, &b->reader.run.rope, values, n_rows, n_cols, stride);
    }
}

static void v_rotated_too(struct broken *b, const char *operation, int layer, float *values, int n_rows,
                          int n_cols, size_t stride)
{
    (void)layer;
    if (is(operation, "v_proj")) {
        rotate_again(b, &b->reader.run.rope, values, n_rows, n_cols, stride);
    }
}

static enum status table_backwards(struct broken *b, struct error *error)
{
    const struct rope_table *rope = &b->reader.run.rope;
    enum status status =
        rope_table_init(&b->backwards, rope->head_dim, rope->theta, rope->n_positions, error);
    size_t n = (size_t)b->backwards.n_positions * (size_t)(rope->head_dim / 2);
    for (size_t i = 0; status == STATUS_OK && i < n; i++) {
        b->backwards.sine[i] = -b->backwards.sine[i];
    }
    return status;
}

static void keys_backwards(struct broken *b, const char *operation, int layer, float *values, int n_rows,
                           int n_cols, size_t stride)
{
    (void)layer;
    if (is(operation, "k_rotated")) { /* forwards once, backwards twice */
        rotate_again(b, &b->backwards, values, n_rows, n_cols, stride);
        rotate_again(b, &b->backwards, values, n_rows, n_cols, stride);
    }
}

static enum status decode_one_too_high(struct broken *b, struct error *error)
{
    (void)error;
    b->reader.shift = 1;
    return STATUS_OK;
}

/* ---- Attention ---- */

static enum status no_causal_mask(struct broken *b, struct error *error)
{
    size_t window = (size_t)b->reader.max_tokens;
    b->mask = malloc(checked_product(window, window));
    if (b->mask == NULL) {
        return error_no_memory(error, "mask", checked_product(window, window));
    }
    memset(b->mask, 1, window * window);
    b->reader.mask = b->mask;
    b->reader.mask_stride = window;
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

const struct fault *fault_at(int i)
{
    static const struct fault faults[] = {
        {"none", "the model as it was trained", NULL, NULL},
        {"no_rotation", "every position looks like position 0", no_rotation, NULL},
        {"interleaved_pairs", "the other pair layout", interleaved_pairs, NULL},
        {"keys_rotated_twice", "once too often, as from a cache", NULL, keys_rotated_twice},
        {"rotated_backwards_keys_only", "the sign of the angle", table_backwards, keys_backwards},
        {"v_rotated_too", "V must not know its position", NULL, v_rotated_too},
        {"theta_10000", "the base of another model", theta_10000, NULL},
        {"no_causal_mask", "it sees the answer, and is worse", no_causal_mask, NULL},
        {"heads_grouped_by_modulo", "query head h reads key head h % 2", NULL, heads_by_modulo},
        {"no_scale", "scores not divided", NULL, no_scale},
        {"no_qkv_bias", "W x without b", no_qkv_bias, NULL},
        {"gate_up_swapped", "up through SiLU", gate_up_swapped, NULL},
        {"relu_for_silu", "another activation", relu_for_silu, NULL},
        {"no_up_branch", "silu(gate) alone", NULL, no_up_branch},
        {"eps_outside_root", "x / (rms + eps)", keep_norm_input, eps_outside_root},
        {"no_norm", "RMSNorm left out", keep_norm_input, no_norm},
        {"decode_positions_off_by_one", "all but the first one too high", decode_one_too_high, NULL}};
    return i >= 0 && (size_t)i < sizeof faults / sizeof faults[0] ? &faults[i] : NULL;
}

static void call_fault(void *context, const char *operation, int layer, float *values, int n_rows, int n_cols,
                       size_t stride)
{
    struct broken *b = context;
    b->fault->change(b, operation, layer, values, n_rows, n_cols, stride);
}

enum status broken_init(struct broken *b, const struct qwen2 *model, const struct fault *fault, int window,
                        struct error *error)
{
    size_t bytes = (size_t)model->config.n_layers * sizeof *model->layers;
    *b = (struct broken){.fault = fault, .model = *model};
    b->model.layers = malloc(bytes);
    if (b->model.layers == NULL) {
        return error_no_memory(error, "layers", bytes);
    }
    memcpy(b->model.layers, model->layers, bytes);
    enum status status = reader_init(&b->reader, &b->model, window, window, error);
    if (status == STATUS_OK) { /* one row more, for a position that is one too high; later passes add none */
        status = rope_table_reserve(&b->reader.run.rope, window + 1, error);
    }
    if (status == STATUS_OK && fault->prepare != NULL) {
        status = fault->prepare(b, error);
    }
    b->hook = (struct hook){.call = call_fault, .context = b};
    b->reader.hook = fault->change != NULL ? &b->hook : NULL;
    if (status != STATUS_OK) {
        broken_free(b);
    }
    return status;
}

void broken_free(struct broken *b)
{
    reader_free(&b->reader);
    rope_table_free(&b->backwards);
    free(b->mask);
    free(b->norm_input);
    free(b->model.layers); /* the weights belong to the trained model */
    *b = (struct broken){.fault = NULL};
}
