/* slow_bpe.h: byte pair encoding as it is defined, to compare the fast one with.
 * It reads tokenizer.json through jansson and works on spellings, as the reference does: nothing of it is shared with
 * common/. Only the cut into pre-tokens is left to the regex library. */
#ifndef TESTS_FUZZ_SLOW_BPE_H
#define TESTS_FUZZ_SLOW_BPE_H

#include <jansson.h>
#include <stddef.h>

#include "common/token_ids.h"

struct slow_bpe {
    json_t *vocabulary; /* spelling -> id */
    json_t *ranks;      /* "left right" -> rank */
};

/* Takes the two tables out of a parsed tokenizer.json. */
void slow_bpe_init(struct slow_bpe *bpe, const json_t *root);
void slow_bpe_free(struct slow_bpe *bpe);

/* Appends the ids of one pre-token. */
void slow_bpe_encode(const struct slow_bpe *bpe, const char *bytes, size_t length, struct token_ids *ids);

#endif
