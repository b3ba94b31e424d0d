/* merges.h: which two tokens join into which third, and in what order of preference.
 * Introduced in chapter 6.
 *
 * The rank of a merge is its place in the list that training wrote: the pair that was most frequent comes first. */
#ifndef COMMON_MERGES_H
#define COMMON_MERGES_H

#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

struct merge {
    int32_t left, right; /* ids of the pair */
    int32_t rank;        /* lower joins first; -1: an empty slot */
    int32_t id;          /* what the pair becomes */
};

/* Zero it first. */
struct merges {
    struct merge *slot; /* [n_slots], open addressing by (left, right) */
    size_t n_slots;
    int n;
};

enum status merges_init(struct merges *merges, int n_expected, struct error *error);
void merges_free(struct merges *merges);

/* Adds the next merge; its rank is the number of those before it. errors: STATUS_FORMAT for a pair that has one.
 * requires fewer than n_expected so far */
enum status merges_add(struct merges *merges, int32_t left, int32_t right, int32_t id, struct error *error);

/* NULL when the two do not join. */
const struct merge *merges_find(const struct merges *merges, int32_t left, int32_t right);

#endif
