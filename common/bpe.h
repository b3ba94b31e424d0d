/* bpe.h: byte pair encoding: the bytes of one pre-token become tokens by joining pairs.
 * Introduced in chapter 6.
 *
 *     start with one token a byte (whole_characters.h starts with more where the outcome is the same)
 *     while some neighbours have a merge:  join the pair of the lowest rank, the leftmost of equal ones
 *
 * Done as written this is quadratic. Here the tokens are a linked list and the pairs wait in a heap, so a pre-token of
 * n bytes takes n log n steps, and no recursion, whatever is in it. Sennrich et al. 2016, section 3.2. */
#ifndef COMMON_BPE_H
#define COMMON_BPE_H

#include <stddef.h>
#include <stdint.h>

#include "common/merges.h"
#include "common/status.h"
#include "common/token_ids.h"
#include "common/whole_characters.h"

struct bpe {
    int32_t byte_id[256]; /* the token of each single byte */
    struct merges merges;
    struct whole_characters characters;
};

void bpe_free(struct bpe *bpe); /* also of a zeroed struct */

struct bpe_symbol; /* one token of the list */

/* Memory that one encoding after another uses again; zero it first. Not shared between threads. */
struct bpe_workspace {
    struct bpe_symbol *symbol; /* [capacity] */
    uint64_t *heap;            /* [3 * capacity] */
    size_t capacity;
};

void bpe_workspace_free(struct bpe_workspace *workspace);

/* Appends the tokens of the pre-token to ids. errors: STATUS_NO_MEMORY, STATUS_LIMIT above 2^31 - 1 bytes. */
enum status bpe_encode(const struct bpe *bpe, const char *bytes, size_t length,
                       struct bpe_workspace *workspace, struct token_ids *ids, struct error *error);

#endif
