#include "common/generate.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* What stays the same while tokens come. */
struct generation {
    const struct qwen2 *model;
    struct qwen2_run *run;
    struct kv_cache *cache;
    const struct generation_config *config;
    struct sampler *sampler;
    generate_callback callback;
    void *context;
    const struct hook *hook;
    float *logits;  /* [vocab_size], as the model gave them */
    float *changed; /* [vocab_size], after the sampler's penalty */
};

/* Draws tokens and computes each but the last. logits holds those after the prompt. */
static enum status decode(const struct generation *g, int max_new_tokens, struct generate_result *result,
                          struct error *error)
{
    const size_t bytes = qwen2_logits_bytes(g->model, 1);
    result->stop = GENERATE_LENGTH;
    while (result->n_new < max_new_tokens) {
        memcpy(g->changed, g->logits, bytes);
        int32_t id = sampler_next(g->sampler, g->changed);
        if (generation_config_is_end(g->config, id)) {
            result->stop = GENERATE_END_TOKEN;
            result->end_id = id;
            return STATUS_OK;
        }
        sampler_see(g->sampler, id);
        result->n_new++;
        if (!g->callback(g->context, id, g->cache->length, g->logits)) {
            result->stop = GENERATE_CALLER;
            return STATUS_OK;
        }
        if (result->n_new == max_new_tokens || g->cache->length == g->cache->capacity) {
            return STATUS_OK;
        }
        enum status status = qwen2_prefill(g->model, g->run, g->cache, &id, 1, g->logits, g->hook, error);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

static enum status prefill_and_decode(const struct generation *g, const int32_t *prompt, int n_prompt,
                                      int max_new_tokens, struct generate_result *result, struct error *error)
{
    double start = now();
    enum status status =
        qwen2_prefill(g->model, g->run, g->cache, prompt, n_prompt, g->logits, g->hook, error);
    if (status != STATUS_OK) {
        return status;
    }
    for (int i = 0; i < n_prompt; i++) {
        sampler_see(g->sampler, prompt[i]);
    }
    double middle = now();
    status = decode(g, max_new_tokens, result, error);
    result->prefill_seconds = middle - start;
    result->decode_seconds = now() - middle;
    return status;
}

enum status generate(const struct qwen2 *model, struct qwen2_run *run, struct kv_cache *cache,
                     const struct generation_config *config, struct sampler *sampler, const int32_t *prompt,
                     int n_prompt, int max_new_tokens, generate_callback callback, void *context,
                     const struct hook *hook, struct generate_result *result, struct error *error)
{
    *result = (struct generate_result){.stop = GENERATE_LENGTH, .n_prompt = n_prompt, .end_id = -1};
    if (n_prompt <= 0) {
        return error_set(error, STATUS_LIMIT, "prompt: empty: there is nothing to continue");
    }
    float *logits = malloc(qwen2_logits_bytes(model, 2));
    if (logits == NULL) {
        return error_no_memory(error, "logits", qwen2_logits_bytes(model, 2));
    }
    const struct generation g = {model,    run,     cache, config, sampler,
                                 callback, context, hook,  logits, logits + model->config.vocab_size};
    enum status status = prefill_and_decode(&g, prompt, n_prompt, max_new_tokens, result, error);
    free(logits);
    return status;
}
