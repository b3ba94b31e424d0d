/* vocabulary.h: which bytes each token id stands for, and the id of given bytes.
 * Introduced in chapter 6. */
#ifndef COMMON_VOCABULARY_H
#define COMMON_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/merges.h"
#include "common/status.h"

/* Ids are below it: a file cannot ask for gigabytes with one large number. */
enum { VOCABULARY_MAX_SIZE = 1 << 21 };

struct vocabulary_piece {
    uint32_t start, length; /* in vocabulary.bytes */
    bool present;           /* false: no token has this id */
    bool findable;          /* vocabulary_find may return it */
};

struct vocabulary_slot {
    uint32_t hash;
    int32_t id; /* -1: empty */
};

/* Zero it first. */
struct vocabulary {
    char *bytes; /* all pieces, one after the other */
    size_t n_bytes, bytes_capacity;
    struct vocabulary_piece *piece; /* [size], by id */
    int size, capacity;             /* size: one more than the largest id */
    struct vocabulary_slot *slot;   /* [n_slots], open addressing; NULL before vocabulary_index */
    size_t n_slots;
};

void vocabulary_free(struct vocabulary *vocabulary);

/* Adds a token. findable: it stands for these bytes of a text; a token of whose spelling this is not true has a piece to
 * show and nothing to find. errors: STATUS_FORMAT for an id outside [0, VOCABULARY_MAX_SIZE) or used before. */
enum status vocabulary_add(struct vocabulary *vocabulary, int64_t id, const char *bytes, size_t length,
                           bool findable, struct error *error);

/* Builds the table that vocabulary_find reads; after the last vocabulary_add.
 * errors: STATUS_FORMAT when two ids stand for the same bytes. */
enum status vocabulary_index(struct vocabulary *vocabulary, struct error *error);

/* The id of these bytes, -1 when there is none. */
int32_t vocabulary_find(const struct vocabulary *vocabulary, const char *bytes, size_t length);

/* Borrowed; *length 0 for an id without a token. Any id, negative ones included. */
const char *vocabulary_piece(const struct vocabulary *vocabulary, int32_t id, size_t *length);

#endif
