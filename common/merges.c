#include "common/merges.h"

#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "common/require.h"

enum { BITS_PER_SLOT = 8 };

enum status merges_init(struct merges *merges, int capacity, struct error *error)
{
    REQUIRE(capacity >= 0 && capacity <= MERGES_MAX);
    size_t n_slots = 8;
    /* At most two thirds full: a search is short, and ends. */
    while (n_slots / 3 * 2 < (size_t)capacity + 1) {
        n_slots *= 2;
    }
    *merges = (struct merges){.n_slots = n_slots, .capacity = capacity};
    merges->slot = malloc(n_slots * sizeof *merges->slot);
    merges->seen = calloc(n_slots, BITS_PER_SLOT / 8);
    merges->id = malloc(((size_t)capacity + 1) * sizeof *merges->id);
    if (merges->slot == NULL || merges->seen == NULL || merges->id == NULL) {
        merges_free(merges);
        return error_no_memory(error, "merges", n_slots * sizeof *merges->slot);
    }
    memset(merges->slot, 0xff, n_slots * sizeof *merges->slot);
    return STATUS_OK;
}

void merges_free(struct merges *merges)
{
    free(merges->slot);
    free(merges->seen);
    free(merges->id);
    *merges = (struct merges){0};
}

static uint64_t key_of(int32_t left, int32_t right)
{
    return (uint64_t)left << MERGES_ID_BITS | (uint64_t)right;
}

/* The slot of the pair, or the empty one where it would stand. */
static uint64_t *slot_of(const struct merges *merges, uint64_t key, uint32_t hash)
{
    size_t mask = merges->n_slots - 1;
    size_t at = hash & mask;
    while (merges->slot[at] != MERGES_EMPTY && merges->slot[at] >> MERGES_ID_BITS != key) {
        at = (at + 1) & mask;
    }
    return &merges->slot[at];
}

/* The bits for the bitmap are the upper ones of the hash, for the table the lower ones. */
static uint32_t bit_of(const struct merges *merges, uint32_t hash)
{
    return (uint32_t)((uint64_t)hash * (merges->n_slots * BITS_PER_SLOT) >> 32);
}

enum status merges_add(struct merges *merges, int32_t left, int32_t right, int32_t id, struct error *error)
{
    REQUIRE(merges->n < merges->capacity);
    REQUIRE(left >= 0 && left < MERGES_MAX && right >= 0 && right < MERGES_MAX);
    uint64_t key = key_of(left, right);
    uint32_t hash = hash_number(key);
    uint64_t *slot = slot_of(merges, key, hash);
    if (*slot != MERGES_EMPTY) {
        return error_set(error, STATUS_FORMAT, "expected each pair once, found that of entry %d again",
                         (int)(*slot & (MERGES_MAX - 1)));
    }
    *slot = key << MERGES_ID_BITS | (uint64_t)merges->n;
    uint32_t bit = bit_of(merges, hash);
    merges->seen[bit / 8] |= (uint8_t)(1 << bit % 8);
    merges->id[merges->n++] = id;
    return STATUS_OK;
}

int32_t merges_rank(const struct merges *merges, int32_t left, int32_t right)
{
    uint64_t key = key_of(left, right);
    uint32_t hash = hash_number(key);
    uint32_t bit = bit_of(merges, hash);
    if ((merges->seen[bit / 8] >> bit % 8 & 1) == 0) {
        return -1;
    }
    const uint64_t *slot = slot_of(merges, key, hash);
    return *slot != MERGES_EMPTY ? (int32_t)(*slot & (MERGES_MAX - 1)) : -1;
}
