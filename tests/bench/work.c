#include "tests/bench/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common/matmul.h"
#include "common/rng.h"
#include "tests/bench/roofs.h"
#include "tests/bench/sgemm.h"

enum { PREFILL = 512 };

static const int products[4][2] = {{1152, 896}, {896, 896}, {9728, 896}, {896, 4864}}; /* rows, cols */

static const char tiny_folder[] = "chapters/06-qwen2.5/tiny-stories";

/* ---- What all use ---- */

static enum status init_cache(struct kv_cache *cache, const struct qwen2 *model, int capacity,
                              struct rng *rng, struct error *error)
{
    enum status status = qwen2_cache_init(cache, model, capacity, error);
    if (status == STATUS_OK) {
        size_t n =
            (size_t)cache->n_layers * (size_t)cache->n_kv_heads * (size_t)capacity * (size_t)cache->head_dim;
        rng_fill_normal(rng, cache->k, n, 1);
        rng_fill_normal(rng, cache->v, n, 1);
    }
    return status;
}

enum status bench_init(struct bench *bench, struct error *error)
{
    struct rng rng;
    rng_init(&rng, 2);
    memset(bench, 0, sizeof *bench);
    bench->n_threads = matmul_threads();
    enum status status = random_model_init(&bench->random, false, error);
    const struct qwen2 *model = &bench->random.model;
    if (status == STATUS_OK) {
        status = qwen2_run_init(&bench->run, model, MAX_CONTEXT, error);
    }
    for (int i = 0; i < MAX_BATCH && status == STATUS_OK; i++) {
        status = init_cache(&bench->caches[i], model, i == 0 ? MAX_CONTEXT + 16 : 16, &rng, error);
    }
    if (status == STATUS_OK) {
        status = qwen2_load(&bench->tiny, tiny_folder, error);
    }
    if (status == STATUS_OK) {
        status = qwen2_run_init(&bench->tiny_run, &bench->tiny, 1, error);
    }
    if (status == STATUS_OK) {
        status = qwen2_cache_init(&bench->tiny_cache, &bench->tiny, TINY_TOKENS, error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    bench->logits = malloc(qwen2_logits_bytes(model, MAX_BATCH));
    bench->x = malloc((size_t)PREFILL * 4864 * sizeof *bench->x);
    bench->y = malloc((size_t)PREFILL * 9728 * sizeof *bench->y);
    bench->w = malloc((size_t)9728 * 896 * sizeof *bench->w);
    if (bench->logits == NULL || bench->x == NULL || bench->y == NULL || bench->w == NULL) {
        return error_no_memory(error, "activations", qwen2_logits_bytes(model, MAX_BATCH));
    }
    rng_fill_normal(&rng, bench->x, (size_t)PREFILL * 4864, 1);
    rng_fill_normal(&rng, bench->w, (size_t)9728 * 896, 0.02);
    return STATUS_OK;
}

void bench_free(struct bench *bench)
{
    qwen2_run_free(&bench->run);
    qwen2_run_free(&bench->tiny_run);
    for (int i = 0; i < MAX_BATCH; i++) {
        kv_cache_free(&bench->caches[i]);
    }
    kv_cache_free(&bench->tiny_cache);
    qwen2_free(&bench->tiny);
    random_model_free(&bench->random);
    free(bench->logits);
    free(bench->x);
    free(bench->y);
    free(bench->w);
}

/* ---- The whole model ---- */

double work_decode(struct bench *bench, int n_sequences, int context, int n_threads, double *work)
{
    const struct qwen2 *model = &bench->random.model;
    int32_t token[MAX_BATCH], position[MAX_BATCH], rows[MAX_BATCH], slot[MAX_BATCH];
    struct kv_cache *sequence[MAX_BATCH];
    for (int i = 0; i < n_sequences; i++) {
        token[i] = 1000 + i;
        position[i] = context;
        rows[i] = i;
        sequence[i] = &bench->caches[i];
        sequence[i]->length = context;
    }
    const struct batch batch = {
        .n_tokens = n_sequences, .token = token, .position = position, .sequence = sequence, .slot = slot};
    matmul_set_threads(n_threads);
    double start = now();
    enum status status =
        qwen2_forward(model, &bench->run, &batch, rows, n_sequences, bench->logits, NULL, NULL);
    double seconds = now() - start;
    const struct kv_cache *cache = &bench->caches[0];
    *work = (double)qwen2_weight_bytes(model) +
            (double)n_sequences * (context + 1) *
                (double)kv_cache_bytes_per_token(cache->n_layers, cache->n_kv_heads, cache->head_dim);
    return status == STATUS_OK ? seconds : NAN;
}

double work_prefill(struct bench *bench, int n_tokens, int n_threads, double *work)
{
    const struct qwen2 *model = &bench->random.model;
    int32_t token[MAX_CONTEXT];
    for (int i = 0; i < n_tokens; i++) {
        token[i] = 1000 + i * 7;
    }
    bench->caches[0].length = 0;
    matmul_set_threads(n_threads);
    double start = now();
    enum status status =
        qwen2_prefill(model, &bench->run, &bench->caches[0], token, n_tokens, bench->logits, NULL, NULL);
    double seconds = now() - start;
    *work = random_model_product_flops(&bench->random, n_tokens, 1) +
            random_model_attention_flops(&bench->random, n_tokens);
    return status == STATUS_OK ? seconds : NAN;
}

double work_tiny_decode(struct bench *bench, int n_threads)
{
    bench->tiny_cache.length = 0;
    matmul_set_threads(n_threads);
    double start = now();
    for (int i = 0; i < TINY_TOKENS; i++) {
        int32_t token = 100 + i;
        if (qwen2_prefill(&bench->tiny, &bench->tiny_run, &bench->tiny_cache, &token, 1, bench->logits, NULL,
                          NULL) != STATUS_OK) {
            return NAN;
        }
    }
    return now() - start;
}

/* ---- The products alone ---- */

double work_products(struct bench *bench, bool sgemm, int n_threads, double *work)
{
    if (sgemm && !sgemm_available()) {
        return NAN;
    }
    const unsigned char *from = bench->random.weights;
    *work = 0;
    matmul_set_threads(n_threads);
    double start = now();
    for (int i = 0; i < 16; i++) {
        int rows = products[i % 4][0], cols = products[i % 4][1];
        struct tensor w = {from, DTYPE_BF16, rows, cols};
        if (sgemm) {
            sgemm_multiply(bench->y, bench->x, bench->w, PREFILL, rows, cols, n_threads);
        } else {
            matmul(bench->y, (size_t)rows, bench->x, (size_t)cols, &w, NULL, PREFILL);
        }
        from += 2 * (size_t)rows * (size_t)cols;
        *work += 2.0 * PREFILL * rows * cols;
    }
    return now() - start;
}

/* ---- Start ---- */

enum status work_start(const char *folder, double *seconds, double *compute, double *rss, struct error *error)
{
    double start = now();
    struct qwen2 model = {0};
    struct qwen2_run run = {0};
    struct kv_cache cache = {0};
    const int32_t token = 1000;
    enum status status = qwen2_load(&model, folder, error);
    if (status == STATUS_OK) {
        status = qwen2_run_init(&run, &model, 512, error);
    }
    if (status == STATUS_OK) {
        status = qwen2_cache_init(&cache, &model, MAX_CONTEXT, error);
    }
    float *logits = status == STATUS_OK ? malloc(qwen2_logits_bytes(&model, 1)) : NULL;
    if (status == STATUS_OK && logits != NULL) {
        status = qwen2_prefill(&model, &run, &cache, &token, 1, logits, NULL, error);
        *seconds = now() - start;
        *compute = now();
        status = status == STATUS_OK ? qwen2_prefill(&model, &run, &cache, &token, 1, logits, NULL, error)
                                     : status;
        *compute = now() - *compute;
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
        *rss = (double)usage.ru_maxrss;
#else
        *rss = (double)usage.ru_maxrss * 1024;
#endif
    }
    free(logits);
    kv_cache_free(&cache);
    qwen2_run_free(&run);
    qwen2_free(&model);
    return status;
}
