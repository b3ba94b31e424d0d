/* reader.h: runs a text that is given through the model and hands out the logits of every token: what scoring, tracing
 * and checking need. It has a KV cache of its own and goes in passes of at most max_tokens. */
#ifndef CHAPTER6_READER_H
#define CHAPTER6_READER_H

#include "common/qwen2.h"

struct reader {
    const struct qwen2 *model;
    struct qwen2_run run;
    struct kv_cache cache;
    int max_tokens;

    /* The pass under way, for hooks. */
    int first;                  /* which token of the text its row 0 is */
    int32_t *position;          /* [max_tokens] */
    int32_t *row;               /* [max_tokens]: 0, 1, 2, … */
    struct kv_cache **sequence; /* [max_tokens]: all the same */
    float *logits;              /* [max_tokens, vocab_size] */

    /* What a caller may set between reader_init and reader_read. */
    const struct hook *hook; /* or NULL */
    const uint8_t *mask;     /* as in struct batch; NULL: causal */
    size_t mask_stride;
    int shift; /* added to every position but the first token's: a decode loop that is off by one has 1 */
};

/* capacity: the longest text. errors: STATUS_NO_MEMORY. The model is borrowed. */
enum status reader_init(struct reader *reader, const struct qwen2 *model, int max_tokens, int capacity,
                        struct error *error);
void reader_free(struct reader *reader); /* also of a zeroed struct */

/* logits [n_rows, vocab_size] of the tokens first .. first + n_rows - 1. */
typedef enum status (*reader_callback)(void *context, int first, int n_rows, const float *logits,
                                       struct error *error);

/* Reads a text from an empty cache, at positions from 0. callback may be NULL. */
enum status reader_read(struct reader *reader, const int32_t *token, int n_tokens, reader_callback callback,
                        void *context, struct error *error);

#endif
