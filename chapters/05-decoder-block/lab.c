#include "chapters/05-decoder-block/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"

static const double THETA = 10000.0;

bool lab_ok(const struct lab *lab)
{
    return lab->status == STATUS_OK;
}

static void *lab_alloc(struct lab *lab, size_t bytes)
{
    if (!lab_ok(lab)) {
        return NULL;
    }
    void **owned = realloc(lab->owned, (lab->n_owned + 1) * sizeof *owned);
    if (owned != NULL) {
        lab->owned = owned;
    }
    void *memory = owned != NULL ? malloc(bytes > 0 ? bytes : 1) : NULL;
    if (memory == NULL) {
        lab->status = error_no_memory(&lab->error, "chapter 5's block", bytes);
        return NULL;
    }
    lab->owned[lab->n_owned++] = memory;
    return memory;
}

float *lab_floats(struct lab *lab, size_t n)
{
    return lab_alloc(lab, checked_product(n, sizeof(float)));
}

static struct tensor random_tensor(struct lab *lab, struct rng *rng, int rows, int cols, double mean,
                                   double scale)
{
    size_t n = (size_t)rows * (size_t)cols;
    float *values = lab_floats(lab, n);
    if (values == NULL) {
        return (struct tensor){0};
    }
    rng_fill_normal(rng, values, n, scale);
    for (size_t i = 0; i < n; i++) {
        values[i] += (float)mean;
    }
    lab->n_parameters += n;
    return tensor_f32(values, rows, cols);
}

static struct tensor random_matrix(struct lab *lab, struct rng *rng, int rows, int cols)
{
    return random_tensor(lab, rng, rows, cols, 0.0, 1.0 / sqrt((double)cols));
}

static struct tensor random_bias(struct lab *lab, struct rng *rng, int width)
{
    return random_tensor(lab, rng, 1, width, 0.0, 0.1);
}

static void make_attention(struct lab *lab, struct rng *rng, enum form form)
{
    const struct decoder_block_config *c = &lab->config;
    struct decoder_block_weights *w = &lab->weights;
    int q_width = c->n_heads * c->head_dim, kv_width = c->n_kv_heads * c->head_dim;
    w->attn_norm = random_tensor(lab, rng, 1, c->d_model, 1.0, 0.1);
    w->w_q = random_matrix(lab, rng, q_width, c->d_model);
    w->w_k = random_matrix(lab, rng, kv_width, c->d_model);
    w->w_v = random_matrix(lab, rng, kv_width, c->d_model);
    w->w_o = random_matrix(lab, rng, c->d_model, q_width);
    w->b_q = random_bias(lab, rng, q_width);
    w->b_k = random_bias(lab, rng, kv_width);
    w->b_v = random_bias(lab, rng, kv_width);
    if (form == FORM_MULTI_HEAD) {
        w->b_o = random_bias(lab, rng, c->d_model);
    }
}

/* The multi-head form keeps gate and up in one matrix, gate rows first: two views of it. */
static void make_ffn(struct lab *lab, struct rng *rng, enum form form)
{
    const struct decoder_block_config *c = &lab->config;
    struct ffn *ffn = &lab->weights.ffn;
    ffn->activation = ACTIVATION_SILU;
    lab->weights.ffn_norm = random_tensor(lab, rng, 1, c->d_model, 1.0, 0.1);
    if (form == FORM_MULTI_HEAD) {
        struct tensor fused = random_matrix(lab, rng, 2 * c->d_ff, c->d_model);
        if (!lab_ok(lab)) {
            return;
        }
        ffn->w_gate = tensor_rows(&fused, 0, c->d_ff);
        ffn->w_up = tensor_rows(&fused, c->d_ff, c->d_ff);
        ffn->b_gate = random_bias(lab, rng, c->d_ff);
        ffn->b_up = random_bias(lab, rng, c->d_ff);
        ffn->b_down = random_bias(lab, rng, c->d_model);
    } else {
        ffn->w_gate = random_matrix(lab, rng, c->d_ff, c->d_model);
        ffn->w_up = random_matrix(lab, rng, c->d_ff, c->d_model);
    }
    ffn->w_down = random_matrix(lab, rng, c->d_model, c->d_ff);
}

void lab_begin(struct lab *lab, const struct settings *settings, enum form form, int n_kv_heads, int capacity)
{
    struct rng rng;
    *lab = (struct lab){.settings = settings};
    lab->config =
        (struct decoder_block_config){.d_model = settings->d_model,
                                      .n_heads = settings->n_heads,
                                      .n_kv_heads = n_kv_heads > 0 ? n_kv_heads : settings->n_kv_heads,
                                      .head_dim = settings->d_model / settings->n_heads,
                                      .d_ff = settings->d_ff,
                                      .rms_norm_eps = form == FORM_MULTI_HEAD ? 1e-8 : 1e-6,
                                      .rope_layout = ROPE_HALF};
    rng_init(&rng, settings->seed);
    make_attention(lab, &rng, form);
    make_ffn(lab, &rng, form);
    if (lab_ok(lab)) {
        lab->status = rope_table_init(&lab->rope, lab->config.head_dim, THETA, 0, &lab->error);
    }
    for (int s = 0; s < LAB_MAX_SEQUENCES && lab_ok(lab); s++) {
        lab->status = kv_cache_init(&lab->cache[s], 1, lab->config.n_kv_heads, lab->config.head_dim, capacity,
                                    &lab->error);
    }
}

enum status lab_end(struct lab *lab, struct error *error)
{
    for (size_t i = 0; i < lab->n_owned; i++) {
        free(lab->owned[i]);
    }
    free(lab->owned);
    for (int s = 0; s < LAB_MAX_SEQUENCES; s++) {
        kv_cache_free(&lab->cache[s]);
    }
    rope_table_free(&lab->rope);
    if (!lab_ok(lab)) {
        *error = lab->error;
    }
    return lab->status;
}

float *lab_tokens(struct lab *lab, int n_tokens, uint64_t seed)
{
    struct rng rng;
    size_t n = (size_t)n_tokens * (size_t)lab->config.d_model;
    float *tokens = lab_floats(lab, n);
    if (tokens != NULL) {
        rng_init(&rng, seed);
        rng_fill_normal(&rng, tokens, n, 1.0);
    }
    return tokens;
}

/* What the block's hook needs. */
struct watcher {
    struct lab *lab;
    const struct pass *pass;
};

static void watch(void *context, const char *operation, int layer, float *values, int n_rows, int n_cols,
                  size_t stride)
{
    struct watcher *watcher = context;
    hook_call(watcher->pass->hook, operation, layer, values, n_rows, n_cols, stride);
    for (int i = 0; i < watcher->pass->n_captures; i++) {
        struct capture *capture = &watcher->pass->captures[i];
        size_t n = (size_t)n_rows * (size_t)n_cols;
        if (strcmp(operation, capture->operation) != 0) {
            continue;
        }
        capture->n_rows = n_rows;
        capture->n_cols = n_cols;
        capture->values = lab_floats(watcher->lab, n);
        if (capture->values != NULL) {
            memcpy(capture->values, values, n * sizeof *values);
        }
    }
}

static bool wants_attention_weights(const struct pass *pass)
{
    bool wants = pass->hook != NULL && pass->hook->attention_weights;
    for (int i = 0; i < pass->n_captures; i++) {
        wants = wants || strcmp(pass->captures[i].operation, "attention.weights") == 0;
    }
    return wants;
}

/* The list of tokens: sequence by sequence, each in its order. n is the number of all of them. */
static bool make_batch(struct lab *lab, struct batch *batch, const struct pass *pass, int n)
{
    int32_t *position = lab_alloc(lab, (size_t)n * sizeof *position);
    int32_t *slot = lab_alloc(lab, (size_t)n * sizeof *slot);
    struct kv_cache **sequence = lab_alloc(lab, (size_t)n * sizeof(struct kv_cache *));
    if (position == NULL || slot == NULL || sequence == NULL) {
        return false;
    }
    int last = 0;
    for (int t = 0; t < n; t++) {
        sequence[t] = &lab->cache[t / pass->n_tokens];
        position[t] = pass->no_positions ? 0 : sequence[t]->length + t % pass->n_tokens + pass->shift;
        last = position[t] > last ? position[t] : last;
    }
    *batch = (struct batch){.n_tokens = n,
                            .position = position,
                            .sequence = sequence,
                            .slot = slot,
                            .mask = pass->mask,
                            .mask_stride = (size_t)pass->mask_stride};
    lab->status = rope_table_reserve(&lab->rope, last + 1, &lab->error);
    if (lab_ok(lab)) {
        lab->status = batch_place(batch, &lab->error);
    }
    return lab_ok(lab);
}

float *lab_run(struct lab *lab, const float *tokens, const struct pass *pass)
{
    int n = (pass->n_sequences > 0 ? pass->n_sequences : 1) * pass->n_tokens;
    size_t n_values = (size_t)n * (size_t)lab->config.d_model;
    struct batch batch;
    if (!lab_ok(lab) || !make_batch(lab, &batch, pass, n)) {
        return NULL;
    }
    struct watcher watcher = {lab, pass};
    struct hook hook = {
        .call = watch, .context = &watcher, .attention_weights = wants_attention_weights(pass)};
    float *scratch = lab_floats(lab, decoder_block_scratch_size(&lab->config, &batch, &hook));
    float *x = lab_floats(lab, n_values);
    if (!lab_ok(lab)) {
        return NULL;
    }
    memcpy(x, tokens, n_values * sizeof *x);
    decoder_block_forward(x, &lab->config, &lab->weights, &batch, 0, &lab->rope, scratch, pass->training,
                          &hook);
    return lab_ok(lab) ? x : NULL; /* a capture may have failed */
}

float *lab_run_fresh(struct lab *lab, const float *tokens, const struct pass *pass)
{
    for (int s = 0; s < LAB_MAX_SEQUENCES && lab_ok(lab); s++) {
        kv_cache_truncate(&lab->cache[s], 0);
    }
    return lab_run(lab, tokens, pass);
}

double largest_difference(const float *a, const float *b, size_t n)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        double difference = fabs((double)a[i] - (double)b[i]);
        if (!(difference <= largest)) { /* a NaN counts as large */
            largest = difference;
        }
    }
    return largest;
}

double root_mean_square(const float *x, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += (double)x[i] * (double)x[i];
    }
    return sqrt(sum / (double)n);
}
