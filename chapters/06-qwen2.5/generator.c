/* generator.c: what generating needs beside the model, for a story, a chat and a data set alike. */
#include "chapter6.h"

enum status generator_init(struct generator *g, const struct settings *s, struct error *error)
{
    const struct session *session = &s->session;
    *g = (struct generator){.run = {.max_tokens = 0}};
    enum status status = qwen2_run_init(&g->run, &session->model, PASS_TOKENS, error);
    if (status == STATUS_OK) {
        status = qwen2_cache_init(&g->cache, &session->model, session->context, error);
    }
    if (status == STATUS_OK) {
        status =
            sampler_init(&g->sampler, &session->sampling, session->model.config.vocab_size, s->seed, error);
    }
    if (status != STATUS_OK) {
        generator_free(g);
    }
    return status;
}

void generator_free(struct generator *g)
{
    sampler_free(&g->sampler);
    kv_cache_free(&g->cache);
    qwen2_run_free(&g->run);
}

enum status generator_prefill(struct generator *g, const struct session *session, const struct hook *hook,
                              float *logits, struct error *error)
{
    for (size_t i = 0; i < session->prompt.n; i++) {
        sampler_see(&g->sampler, session->prompt.id[i]);
    }
    return qwen2_prefill(&session->model, &g->run, &g->cache, session->prompt.id, (int)session->prompt.n,
                         logits, hook, error);
}
