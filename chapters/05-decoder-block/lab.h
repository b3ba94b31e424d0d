/* lab.h: one decoder block with random weights, and experiments on it without ceremony.
 *
 * A failure (memory, mostly) is kept in the lab: from then on every lab_ function returns NULL at once, and lab_end
 * reports it. All memory that a lab gives out belongs to it, until lab_end. */
#ifndef CHAPTER5_LAB_H
#define CHAPTER5_LAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/decoder_block.h"
#include "common/status.h"

struct settings {
    int d_model, n_heads, n_kv_heads, d_ff, seq_len;
    double dropout;
    uint64_t seed;
};

/* The two forms of the block; both run through decoder_block_forward. */
enum form { FORM_QWEN, FORM_MULTI_HEAD };

enum { LAB_MAX_SEQUENCES = 2 };

struct lab {
    const struct settings *settings;
    struct decoder_block_config config;
    struct decoder_block_weights weights;
    size_t n_parameters;
    struct rope_table rope;
    struct kv_cache cache[LAB_MAX_SEQUENCES];
    void **owned; /* [n_owned], the memory given out so far */
    size_t n_owned;
    enum status status;
    struct error error;
};

/* Weights from the settings' seed: matrices of variance 1/d_in, norm weights around 1, biases around 0. capacity: slots
 * of each cache. n_kv_heads 0: the settings'. */
void lab_begin(struct lab *lab, const struct settings *settings, enum form form, int n_kv_heads,
               int capacity);
/* Frees everything; returns the first failure, or STATUS_OK. */
enum status lab_end(struct lab *lab, struct error *error);
bool lab_ok(const struct lab *lab);

float *lab_floats(struct lab *lab, size_t n);
/* Random token vectors [n_tokens, d_model]; the same seed gives the same ones, and a longer run begins like a shorter. */
float *lab_tokens(struct lab *lab, int n_tokens, uint64_t seed);

/* Copies of what the hook saw of one operation. */
struct capture {
    const char *operation;
    float *values; /* [n_rows, n_cols], the lab's */
    int n_rows, n_cols;
};

/* One pass; zeroed fields are the plain case. */
struct pass {
    int n_sequences;     /* 0 stands for 1 */
    int n_tokens;        /* of each sequence */
    int shift;           /* added to every position; a token's position is otherwise its slot */
    bool no_positions;   /* all positions 0: every rotation is the identity */
    const uint8_t *mask; /* [n_sequences * n_tokens, mask_stride], NULL: causal */
    int mask_stride;
    const struct decoder_block_training *training;
    struct capture *captures;
    int n_captures;
    const struct hook *hook; /* called beside the captures */
};

/* Runs tokens [n_sequences, n_tokens, d_model] behind what the caches hold. Returns the block's output of that shape. */
float *lab_run(struct lab *lab, const float *tokens, const struct pass *pass);
/* Empties the caches, then lab_run. */
float *lab_run_fresh(struct lab *lab, const float *tokens, const struct pass *pass);

double largest_difference(const float *a, const float *b, size_t n);
double root_mean_square(const float *x, size_t n);

#endif
