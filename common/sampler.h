/* sampler.h: from logits to the next token.
 * Introduced in chapter 6.
 *
 * In the order of transformers: repetition penalty, temperature, top-k, top-p, then one draw.
 *     penalty      logits of tokens seen before: l > 0 ? l / p : l * p, once per token       Keskar et al. 2019
 *     temperature  l / T
 *     top-k        keeps the k largest, and every logit equal to the k-th                    Fan et al. 2018
 *     top-p        keeps the fewest likeliest tokens whose probability reaches p, at least one  Holtzman et al. 2019 */
#ifndef COMMON_SAMPLER_H
#define COMMON_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/rng.h"
#include "common/status.h"

struct sampler_settings {
    bool greedy;               /* the largest logit after the penalty, the lowest id among equals */
    double temperature;        /* > 0 */
    int top_k;                 /* 0: off */
    double top_p;              /* 1: off */
    double repetition_penalty; /* 1: off; > 0 */
};

/* A token and its logit or probability. */
struct candidate {
    int32_t id;
    float value;
};

struct sampler {
    struct sampler_settings settings;
    int vocab_size;
    uint8_t *seen; /* [vocab_size]: tokens of the prompt and the output, for the penalty; owned */
    struct candidate *candidate; /* [vocab_size], owned */
    struct rng rng;
};

/* settings are copied. errors: STATUS_NO_MEMORY. requires vocab_size > 0, temperature > 0, top_k >= 0, top_p in 0 .. 1,
 * repetition_penalty > 0. */
enum status sampler_init(struct sampler *sampler, const struct sampler_settings *settings, int vocab_size,
                         uint64_t seed, struct error *error);
void sampler_free(struct sampler *sampler); /* also of a zeroed struct */

/* Tells the sampler that a token stands in the text, prompt included. Ids outside the vocabulary are ignored. */
void sampler_see(struct sampler *sampler, int32_t id);

/* The next token. logits [vocab_size] are changed by the penalty. */
int32_t sampler_next(struct sampler *sampler, float *logits);

/* The distribution that sampler_next draws from, over the whole vocabulary (0 where cut off): for tests and figures.
 * out, logits [vocab_size]; logits are changed by the penalty. */
void sampler_probabilities(struct sampler *sampler, float *out, float *logits);

/* The k largest logits with their softmax probabilities, likeliest first, lower id first among equals: value is the
 * probability. requires 1 <= k <= vocab_size. */
void sampler_top(struct candidate *out, int k, const float *logits, int vocab_size);

#endif
