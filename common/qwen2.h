/* qwen2.h: the whole model: embedding, decoder blocks, final norm, head.
 * Introduced in chapter 6.
 *
 * Configuration, weights and run state are three structs. Weights are views into mapped files and shared by any number
 * of runs; a run holds the activations of one pass.
 * Qwen2.5: arXiv 2412.15115; reference: transformers, models/qwen2/modeling_qwen2.py. */
#ifndef COMMON_QWEN2_H
#define COMMON_QWEN2_H

#include "common/decoder_block.h"
#include "common/hook.h"
#include "common/kv_cache.h"
#include "common/model_config.h"
#include "common/rope.h"
#include "common/safetensors.h"
#include "common/tensor.h"

struct qwen2 {
    struct model_config config;
    struct decoder_block_config block;    /* the same numbers, as the block wants them */
    struct tensor embedding;              /* [vocab_size, d_model] */
    struct decoder_block_weights *layers; /* [n_layers], owned */
    struct tensor final_norm;             /* [1, d_model] */
    struct tensor head;                   /* [vocab_size, d_model]; the embedding itself when tied */
    struct safetensors files;             /* owns the mapping; empty for a model built in memory */
};

/* Reads config.json and the weights of a Hugging Face folder. Every tensor's shape is checked against the config;
 * missing and surplus tensors are errors, but for a redundant lm_head.weight when the head is tied. */
enum status qwen2_load(struct qwen2 *model, const char *folder, struct error *error);
/* Moves the weights into pages of 2 MB (huge_pages.h). After an error the model is good for qwen2_free only. */
enum status qwen2_use_huge_pages(struct qwen2 *model, struct error *error);
void qwen2_free(struct qwen2 *model); /* also of a zeroed struct */

/* The numbers of config.json as a block wants them. */
struct decoder_block_config qwen2_block_config(const struct model_config *config);

/* Bytes of weights that one decode step reads. */
size_t qwen2_weight_bytes(const struct qwen2 *model);
size_t qwen2_parameters(const struct qwen2 *model);

/* Reads every weight once. errors: STATUS_FORMAT names the first tensor with a value that is not finite; STATUS_IO: a
 * file became shorter meanwhile. */
enum status qwen2_verify(const struct qwen2 *model, struct error *error);

/* The activations of one pass, and the rotation table. */
struct qwen2_run {
    int max_tokens; /* the largest batch */
    struct rope_table rope;
    float *x;       /* [max_tokens, d_model] */
    float *scratch; /* grows as a pass needs it */
    size_t scratch_size;
    int32_t *slot;              /* [max_tokens] */
    int32_t *position;          /* [max_tokens], for qwen2_prefill */
    struct kv_cache **sequence; /* [max_tokens], for qwen2_prefill */
};
enum status qwen2_run_init(struct qwen2_run *run, const struct qwen2 *model, int max_tokens,
                           struct error *error);
void qwen2_run_free(struct qwen2_run *run); /* also of a zeroed struct */

/* One pass of a batch through the model.
 *
 * batch       slot may be NULL: the run's memory is used. n_tokens from 1 to run->max_tokens; positions may lie beyond
 *             max_seq_len (the model was not trained for them)
 * logit_rows  [n_logit_rows] tokens of the batch (0 .. n_tokens-1) whose logits are wanted
 * logits      [n_logit_rows, vocab_size]
 * hook        NULL, or sees "embed_tokens" (layer -1), every block's operations, and "norm" (layer n_layers)
 * errors: STATUS_LIMIT: an id outside the vocabulary, a full cache; STATUS_NO_MEMORY; STATUS_FORMAT: logits that are not
 * finite (weights or activations overflowed); STATUS_IO: a file of the weights became shorter meanwhile. On an error
 * before the first layer the caches are unchanged. */
enum status qwen2_forward(const struct qwen2 *model, struct qwen2_run *run, const struct batch *batch,
                          const int32_t *logit_rows, int n_logit_rows, float *logits, const struct hook *hook,
                          struct error *error);

/* All tokens of one sequence, at positions cache->length, cache->length + 1, …, in passes of at most run->max_tokens;
 * logits [vocab_size] of the last one, or NULL. Ids and room are checked before the first pass: a prompt that is refused
 * leaves the cache unchanged. requires n_tokens > 0. */
enum status qwen2_prefill(const struct qwen2 *model, struct qwen2_run *run, struct kv_cache *cache,
                          const int32_t *token, int n_tokens, float *logits, const struct hook *hook,
                          struct error *error);

/* Bytes of the logits of n_rows tokens; SIZE_MAX when that does not fit. With 151936 ids the logits of a 14135-token
 * prompt are more elements than an int counts. */
size_t qwen2_logits_bytes(const struct qwen2 *model, int n_rows);

/* The KV cache of one sequence of this model. */
enum status qwen2_cache_init(struct kv_cache *cache, const struct qwen2 *model, int capacity,
                             struct error *error);

#endif
