/* yours_model.h: what both sides of chapter6-yours work on: the bundled model after a prompt. */
#ifndef CHAPTER6_YOURS_MODEL_H
#define CHAPTER6_YOURS_MODEL_H

#include <stdint.h>

#include "common/qwen2.h"
#include "common/tokenizer_file.h"

enum { N_PROMPT = 9, VOCAB_SIZE = 2048, D_MODEL = 192, MAX_TEXT = 32 };

extern const int prompt[N_PROMPT]; /* "Once upon a time, there was a little" */

struct bundled {
    struct qwen2 model;
    struct qwen2_run run;
    struct tokenizer_parts tokenizer;
};
extern struct bundled bundled;

enum status bundled_open(struct error *error);
void bundled_close(void);

/* One pass over a text of n <= MAX_TEXT ids. logits [VOCAB_SIZE] after the last; hidden [n, D_MODEL], what the head
 * reads, or NULL. Memory that is not to be had ends the process. */
void bundled_pass(float *logits, float *hidden, const int *text, int n);

/* The chapter's tasks, each a function of one side. */
struct functions {
    void (*widen)(float *out, const uint16_t *bits, int n);
    uint16_t (*round)(float x);
    uint64_t (*embedding_place)(void);                /* of its first byte in the file */
    int (*encode_word)(int *token, const char *word); /* with the model's merges; token [strlen(word)] */
    void (*logits)(float *logits);                    /* [VOCAB_SIZE], after the prompt */
    void (*penalize)(float *logits, int vocab_size, const int *history, int n_history, double penalty);
    void (*top_p)(double *out, const double *probability, int n, double top_p);
    int (*tokens_until_full)(int capacity); /* drawn after the prompt */
    void (*predict)(double *answer);
    int (*printable)(const uint8_t *text, int n);
    int (*greedy)(
        int n); /* the n-th id after the prompt, with a repetition penalty; n <= MAX_TEXT - N_PROMPT */
};

#define REPETITION_PENALTY 1.3

extern const struct functions your_functions, project_functions;

#endif
