/* merges.h: which two tokens join into which third, and in what order of preference.
 * Introduced in chapter 6.
 *
 * The rank of a merge is its place in the list that training wrote: the pair that was most frequent comes first. Most
 * pairs of tokens have no merge, and the table is larger than the caches near the core, so a bitmap of a few bits for
 * each merge answers most questions before the table is touched (Bloom 1970, with one hash). */
#ifndef COMMON_MERGES_H
#define COMMON_MERGES_H

#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

#define MERGES_EMPTY UINT64_MAX

enum { MERGES_ID_BITS = 21, MERGES_MAX = 1 << MERGES_ID_BITS }; /* ids and ranks are below MERGES_MAX */

/* Zero it first. */
struct merges {
    /* [n_slots], open addressing: left, right and rank, MERGES_ID_BITS each, or all ones: empty */
    uint64_t *slot;
    size_t n_slots;
    uint8_t *seen; /* [n_slots] bytes, 8 bits a slot: set where the hash of a merge points */
    int32_t *id;   /* [n], by rank: what the pair becomes */
    int n, capacity;
};

enum status merges_init(struct merges *merges, int capacity, struct error *error);
void merges_free(struct merges *merges);

/* Adds the next merge; its rank is the number of those before it. errors: STATUS_FORMAT for a pair that has one.
 * requires fewer than capacity so far; ids in [0, MERGES_MAX) */
enum status merges_add(struct merges *merges, int32_t left, int32_t right, int32_t id, struct error *error);

/* -1 when the two do not join. */
int32_t merges_rank(const struct merges *merges, int32_t left, int32_t right);

#endif
