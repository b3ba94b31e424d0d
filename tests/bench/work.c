#include "tests/bench/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common/matmul.h"
#include "common/rng.h"
#include "tests/bench/machine.h"
#include "tests/bench/roofs.h"
#include "tests/bench/sgemm.h"

enum { PREFILL = 512 };

static const char tiny_folder[] = "chapters/06-qwen2.5/tiny-stories";

/* Of Qwen2.5-Instruct's generation_config.json. */
static const struct sampler_settings qwen_sampling = {
    .temperature = 0.7, .top_k = 20, .top_p = 0.8, .repetition_penalty = 1.1};

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

static enum status init_model(struct bench *bench, struct rng *rng, struct error *error)
{
    const struct qwen2 *model = &bench->random.model;
    enum status status = qwen2_run_init(&bench->run, model, bench->max_context, error);
    for (int i = 0; i < MAX_BATCH && status == STATUS_OK; i++) {
        status = init_cache(&bench->caches[i], model, i == 0 ? bench->max_context + 16 : 16, rng, error);
    }
    if (status == STATUS_OK) {
        status = sampler_init(&bench->sampler, &qwen_sampling, model->config.vocab_size, 3, error);
    }
    return status;
}

static enum status init_tiny(struct bench *bench, struct error *error)
{
    enum status status = qwen2_load(&bench->tiny, tiny_folder, error);
    if (status == STATUS_OK) {
        status = qwen2_run_init(&bench->tiny_run, &bench->tiny, 1, error);
    }
    if (status == STATUS_OK) {
        status = qwen2_cache_init(&bench->tiny_cache, &bench->tiny, TINY_TOKENS, error);
    }
    return status;
}

static enum status init_activations(struct bench *bench, struct rng *rng, struct error *error)
{
    const struct model_config *c = &bench->random.model.config;
    size_t widest_x = (size_t)PREFILL * (size_t)c->d_ff, widest_y = 2 * widest_x;
    size_t largest_w = 2 * (size_t)c->d_ff * (size_t)c->d_model;
    bench->logits = malloc(qwen2_logits_bytes(&bench->random.model, MAX_BATCH));
    bench->x = malloc(widest_x * sizeof *bench->x);
    bench->y = malloc(widest_y * sizeof *bench->y);
    bench->w = malloc(largest_w * sizeof *bench->w);
    if (bench->logits == NULL || bench->x == NULL || bench->y == NULL || bench->w == NULL) {
        return error_no_memory(error, "activations", qwen2_logits_bytes(&bench->random.model, MAX_BATCH));
    }
    rng_fill_normal(rng, bench->x, widest_x, 1);
    rng_fill_normal(rng, bench->w, largest_w, 0.02);
    return STATUS_OK;
}

/* A second copy, if there is room for it; without one what needs it is not measured. */
static enum status init_huge(struct bench *bench, enum model_shape shape, struct error *error)
{
    size_t before = machine_huge_page_bytes();
    if (machine_free_bytes() < 2 * bench->random.n_bytes) {
        return STATUS_OK;
    }
    enum status status = random_model_init(&bench->huge, shape, true, error);
    if (status == STATUS_OK && machine_huge_page_bytes() - before < bench->huge.n_bytes / 10 * 9) {
        random_model_free(&bench->huge);
    }
    return status;
}

/* avx512bf16, neonbf16 and AMX, whose tiles multiply nothing else. */
static bool multiplies_bf16(const char *kernel)
{
    return strcmp(kernel, "amx") == 0 || strstr(kernel, "bf16") != NULL;
}

/* The chosen kernel, or, where that multiplies bfloat16, the best of the others; they are listed best first. */
static const char *find_f32_kernel(void)
{
    const char *name = matmul_kernel_name();
    for (int i = 0; name != NULL && multiplies_bf16(name); i++) {
        name = matmul_usable_kernel(i);
    }
    return name;
}

enum status bench_init(struct bench *bench, enum model_shape shape, bool quick, const char *tokenizer,
                       struct error *error)
{
    struct rng rng;
    rng_init(&rng, 2);
    memset(bench, 0, sizeof *bench);
    bench->quick = quick;
    bench->n_threads = matmul_threads();
    bench->max_context = quick ? 1024 : shape == SHAPE_SMALL ? 4096 : 8192;
    bench->kernel = matmul_kernel_name();
    bench->f32_kernel = find_f32_kernel();
    enum status status = random_model_init(&bench->random, shape, false, error);
    if (status == STATUS_OK) {
        status = init_huge(bench, shape, error);
    }
    if (status == STATUS_OK) {
        status = init_model(bench, &rng, error);
    }
    if (status == STATUS_OK) {
        status = init_tiny(bench, error);
    }
    if (status == STATUS_OK) {
        status = init_activations(bench, &rng, error);
    }
    return status == STATUS_OK ? texts_init(&bench->texts, tokenizer, error) : status;
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
    random_model_free(&bench->huge);
    sampler_free(&bench->sampler);
    texts_free(&bench->texts);
    free(bench->logits);
    free(bench->x);
    free(bench->y);
    free(bench->w);
}

/* ---- The whole model ---- */

double work_decode(struct bench *bench, const struct random_model *random, int n_sequences, int context,
                   int n_threads, double *work)
{
    const struct qwen2 *model = &random->model;
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
    static int32_t token[8192];
    for (int i = 0; i < n_tokens; i++) {
        token[i] = 1000 + i % 4096 * 7;
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
    const struct model_config *c = &bench->random.model.config;
    const int q = c->n_heads * c->head_dim, kv = c->n_kv_heads * c->head_dim;
    const int rows[4] = {q + 2 * kv, c->d_model, 2 * c->d_ff, c->d_model};
    const int cols[4] = {c->d_model, q, c->d_model, c->d_ff};
    const int n_layers = c->n_layers < 4 ? c->n_layers : 4;
    const unsigned char *from = bench->random.weights;
    *work = 0;
    matmul_set_threads(n_threads);
    double start = now();
    for (int i = 0; i < 4 * n_layers; i++) {
        struct tensor w = {from, DTYPE_BF16, rows[i % 4], cols[i % 4]};
        if (sgemm) {
            sgemm_multiply(bench->y, bench->x, bench->w, PREFILL, w.rows, w.cols, n_threads);
        } else {
            matmul(bench->y, (size_t)w.rows, bench->x, (size_t)w.cols, &w, NULL, PREFILL);
        }
        from += 2 * (size_t)w.rows * (size_t)w.cols;
        *work += 2.0 * PREFILL * w.rows * w.cols;
    }
    return now() - start;
}

double work_sample(struct bench *bench)
{
    struct rng rng;
    rng_init(&rng, 4);
    rng_fill_normal(&rng, bench->logits, (size_t)bench->random.model.config.vocab_size, 3);
    for (int id = 0; id < 500; id++) {
        sampler_see(&bench->sampler, id * 17);
    }
    double start = now();
    (void)sampler_next(&bench->sampler, bench->logits);
    return now() - start;
}

/* ---- Start ---- */

enum status work_start(const char *folder, bool huge_pages, double *seconds, double *compute, double *rss,
                       struct error *error)
{
    double start = now();
    struct qwen2 model = {0};
    struct qwen2_run run = {0};
    struct kv_cache cache = {0};
    const int32_t token = 1000;
    enum status status = qwen2_load(&model, folder, error);
    if (status == STATUS_OK && huge_pages) {
        status = qwen2_use_huge_pages(&model, error);
    }
    if (status == STATUS_OK) {
        status = qwen2_run_init(&run, &model, START_CONTEXT, error);
    }
    if (status == STATUS_OK) {
        status = qwen2_cache_init(&cache, &model, START_CONTEXT, error);
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
