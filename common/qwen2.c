#include "common/qwen2.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/matmul.h"
#include "common/require.h"
#include "common/rmsnorm.h"

enum { FIRST_POSITIONS = 512 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

enum status qwen2_run_init(struct qwen2_run *run, const struct qwen2 *model, int max_tokens,
                           struct error *error)
{
    REQUIRE(max_tokens > 0);
    const struct model_config *config = &model->config;
    size_t n = (size_t)max_tokens;
    size_t n_x = checked_product(n, (size_t)config->d_model);
    memset(run, 0, sizeof *run);
    run->max_tokens = max_tokens;
    enum status status = rope_table_init(&run->rope, config->head_dim, config->rope_theta,
                                         smaller(FIRST_POSITIONS, config->max_seq_len), error);
    if (status != STATUS_OK) {
        return status;
    }
    run->x = matmul_memory(n_x);
    run->slot = malloc(checked_product(n, sizeof *run->slot));
    run->position = malloc(checked_product(n, sizeof *run->position));
    run->sequence = malloc(checked_product(n, sizeof(struct kv_cache *)));
    if (run->x == NULL || run->slot == NULL || run->position == NULL || run->sequence == NULL) {
        qwen2_run_free(run);
        return error_no_memory(error, "activations", checked_product(n_x, sizeof *run->x));
    }
    return STATUS_OK;
}

void qwen2_run_free(struct qwen2_run *run)
{
    rope_table_free(&run->rope);
    free(run->x);
    free(run->scratch);
    free(run->slot);
    free(run->position);
    free(run->sequence);
    memset(run, 0, sizeof *run);
}

enum status qwen2_cache_init(struct kv_cache *cache, const struct qwen2 *model, int capacity,
                             struct error *error)
{
    return kv_cache_init(cache, model->config.n_layers, model->config.n_kv_heads, model->config.head_dim,
                         capacity, error);
}

size_t qwen2_logits_bytes(const struct qwen2 *model, int n_rows)
{
    return checked_product(checked_product((size_t)n_rows, (size_t)model->config.vocab_size), sizeof(float));
}

static enum status check_ids(const struct qwen2 *model, const int32_t *token, int n_tokens,
                             struct error *error)
{
    for (int t = 0; t < n_tokens; t++) {
        if (token[t] < 0 || token[t] >= model->config.vocab_size) {
            return error_set(error, STATUS_LIMIT, "token id %d: outside the vocabulary, expected 0 to %d",
                             token[t], model->config.vocab_size - 1);
        }
    }
    return STATUS_OK;
}

/* Rows for all positions of the batch. The table doubles up to max_seq_len, so that decoding does not rebuild it. */
static enum status reserve_positions(const struct qwen2 *model, struct qwen2_run *run,
                                     const struct batch *batch, struct error *error)
{
    int last = 0;
    for (int t = 0; t < batch->n_tokens; t++) {
        REQUIRE(batch->position[t] >= 0 && batch->position[t] < INT_MAX);
        last = batch->position[t] > last ? batch->position[t] : last;
    }
    int n = last + 1;
    if (n > run->rope.n_positions && n < model->config.max_seq_len && run->rope.n_positions < INT_MAX / 2) {
        int doubled = smaller(2 * run->rope.n_positions, model->config.max_seq_len);
        n = doubled > n ? doubled : n;
    }
    return rope_table_reserve(&run->rope, n, error);
}

/* A quarter more than is asked for: the need grows by a little with every token that is decoded. */
static enum status reserve_scratch(struct qwen2_run *run, size_t n, struct error *error)
{
    if (n <= run->scratch_size) {
        return STATUS_OK;
    }
    n = n > SIZE_MAX - n / 4 ? SIZE_MAX : n + n / 4;
    float *scratch = matmul_memory(n);
    if (scratch == NULL) {
        return error_no_memory(error, "scratch of a pass", checked_product(n, sizeof *scratch));
    }
    free(run->scratch);
    run->scratch = scratch;
    run->scratch_size = n;
    return STATUS_OK;
}

static size_t scratch_size(const struct qwen2 *model, const struct batch *batch, int n_logit_rows,
                           const struct hook *hook)
{
    size_t blocks = decoder_block_scratch_size(&model->block, batch, hook);
    size_t rows = checked_product((size_t)n_logit_rows, (size_t)model->config.d_model);
    return blocks > rows ? blocks : rows;
}

/* Takes back batch_place: the caches are as long as before. */
static void unplace(const struct batch *batch)
{
    for (int t = batch->n_tokens - 1; t >= 0; t--) {
        kv_cache_truncate(batch->sequence[t], batch->slot[t]);
    }
}

/* Everything that can fail, before anything is computed. */
static enum status prepare(const struct qwen2 *model, struct qwen2_run *run, struct batch *batch,
                           int n_logit_rows, const struct hook *hook, struct error *error)
{
    enum status status = check_ids(model, batch->token, batch->n_tokens, error);
    if (status == STATUS_OK) {
        status = reserve_positions(model, run, batch, error);
    }
    if (status == STATUS_OK) {
        status = batch_place(batch, error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    status = reserve_scratch(run, scratch_size(model, batch, n_logit_rows, hook), error);
    if (status != STATUS_OK) {
        unplace(batch);
    }
    return status;
}

static void embed(const struct qwen2 *model, float *x, const struct batch *batch)
{
    for (int t = 0; t < batch->n_tokens; t++) {
        tensor_row(x + (size_t)t * (size_t)model->config.d_model, &model->embedding, batch->token[t]);
    }
}

/* The final norm of the asked rows only, unless a hook wants to see all; out [n_logit_rows, d_model]. */
static void final_norm(const struct qwen2 *model, float *out, float *x, int n_tokens,
                       const int32_t *logit_rows, int n_logit_rows, const struct hook *hook)
{
    const struct model_config *config = &model->config;
    size_t d_model = (size_t)config->d_model;
    if (hook != NULL) {
        rmsnorm(x, x, &model->final_norm, config->rms_norm_eps, n_tokens, config->d_model);
        hook_call(hook, "norm", config->n_layers, x, n_tokens, config->d_model, d_model);
    }
    for (int r = 0; r < n_logit_rows; r++) {
        REQUIRE(logit_rows[r] >= 0 && logit_rows[r] < n_tokens);
        memcpy(out + (size_t)r * d_model, x + (size_t)logit_rows[r] * d_model, d_model * sizeof *out);
    }
    if (hook == NULL) {
        rmsnorm(out, out, &model->final_norm, config->rms_norm_eps, n_logit_rows, config->d_model);
    }
}

static enum status check_finite(const struct qwen2 *model, const float *logits, int n_rows,
                                struct error *error)
{
    const int vocab_size = model->config.vocab_size;
    const struct safetensors *files = &model->files;
    for (int r = 0; r < n_rows; r++) {
        const float *row = logits + (size_t)r * (size_t)vocab_size;
        for (int i = 0; i < vocab_size; i++) {
            if (!isfinite(row[i])) {
                return error_set(error, STATUS_FORMAT,
                                 "%s%s: logits: found %s for token id %d, expected finite numbers: the "
                                 "weights are damaged "
                                 "or an activation overflowed",
                                 files->n_files > 0 ? files->paths[0] : "the model",
                                 files->n_files > 1 ? " and its other shards" : "",
                                 isnan(row[i]) ? "nan"
                                 : row[i] > 0  ? "inf"
                                               : "-inf",
                                 i); /* printf's nan may have a sign */
            }
        }
    }
    return STATUS_OK;
}

enum status qwen2_forward(const struct qwen2 *model, struct qwen2_run *run, const struct batch *batch,
                          const int32_t *logit_rows, int n_logit_rows, float *logits, const struct hook *hook,
                          struct error *error)
{
    static const struct tensor no_bias = {NULL, DTYPE_F32, 0, 0};
    const struct model_config *config = &model->config;
    REQUIRE(batch->n_tokens > 0 && batch->n_tokens <= run->max_tokens && n_logit_rows >= 0);
    struct batch placed = *batch;
    placed.slot = batch->slot != NULL ? batch->slot : run->slot;
    enum status status = prepare(model, run, &placed, n_logit_rows, hook, error);
    if (status != STATUS_OK) {
        return status;
    }
    embed(model, run->x, &placed);
    hook_call(hook, "embed_tokens", -1, run->x, placed.n_tokens, config->d_model, (size_t)config->d_model);
    for (int layer = 0; layer < config->n_layers; layer++) {
        decoder_block_forward(run->x, &model->block, &model->layers[layer], &placed, layer, &run->rope,
                              run->scratch, NULL, hook);
    }
    final_norm(model, run->scratch, run->x, placed.n_tokens, logit_rows, n_logit_rows, hook);
    matmul_round_activations(run->scratch, &model->head, n_logit_rows);
    matmul(logits, (size_t)config->vocab_size, run->scratch, (size_t)config->d_model, &model->head, &no_bias,
           n_logit_rows);
    status = safetensors_check_sizes(&model->files, error);
    return status == STATUS_OK ? check_finite(model, logits, n_logit_rows, error) : status;
}

enum status qwen2_prefill(const struct qwen2 *model, struct qwen2_run *run, struct kv_cache *cache,
                          const int32_t *token, int n_tokens, float *logits, const struct hook *hook,
                          struct error *error)
{
    REQUIRE(n_tokens > 0);
    enum status status = check_ids(model, token, n_tokens, error);
    if (status != STATUS_OK) {
        return status;
    }
    if (n_tokens > cache->capacity - cache->length) {
        return error_set(error, STATUS_LIMIT, "context: %d tokens do not fit: %d of %d are in use", n_tokens,
                         cache->length, cache->capacity);
    }
    for (int done = 0; status == STATUS_OK && done < n_tokens;) {
        int n = smaller(n_tokens - done, run->max_tokens);
        for (int t = 0; t < n; t++) {
            run->position[t] = cache->length + t;
            run->sequence[t] = cache;
        }
        const struct batch batch = {
            .n_tokens = n, .token = token + done, .position = run->position, .sequence = run->sequence};
        const int32_t last_row = n - 1;
        bool wanted = logits != NULL && done + n == n_tokens;
        status = qwen2_forward(model, run, &batch, &last_row, wanted ? 1 : 0, logits, hook, error);
        done += n;
    }
    return status;
}
