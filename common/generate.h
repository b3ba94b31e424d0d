/* generate.h: a prompt in, tokens out, one at a time.
 * Introduced in chapter 6. */
#ifndef COMMON_GENERATE_H
#define COMMON_GENERATE_H

#include <stdbool.h>

#include "common/model_config.h"
#include "common/qwen2.h"
#include "common/sampler.h"

enum generate_stop {
    GENERATE_END_TOKEN, /* the model said that it is done; the end token is not reported */
    GENERATE_LENGTH,    /* max_new_tokens, or the cache is full */
    GENERATE_CALLER     /* the callback returned false */
};

struct generate_result {
    enum generate_stop stop;
    int n_prompt, n_new; /* tokens prefilled, tokens reported */
    int32_t end_id;      /* GENERATE_END_TOKEN: which one */
    double prefill_seconds, decode_seconds;
};

/* Called for each new token; logits are those it was drawn from (before the penalty), position is where it will
 * stand. Returns false to stop. */
typedef bool (*generate_callback)(void *context, int32_t id, int position, const float *logits);

/* Continues what cache holds with the prompt, then with up to max_new_tokens of the model's own. The last token drawn is
 * reported but not computed: the next call gives it with its prompt, or never.
 * errors: STATUS_LIMIT: an empty prompt, one longer than the cache has room for, an id outside the vocabulary; and what
 * qwen2_forward reports. */
enum status generate(const struct qwen2 *model, struct qwen2_run *run, struct kv_cache *cache,
                     const struct generation_config *config, struct sampler *sampler, const int32_t *prompt,
                     int n_prompt, int max_new_tokens, generate_callback callback, void *context,
                     const struct hook *hook, struct generate_result *result, struct error *error);

#endif
