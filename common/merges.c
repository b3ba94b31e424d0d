#include "common/merges.h"

#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "common/require.h"

enum status merges_init(struct merges *merges, int n_expected, struct error *error)
{
    size_t n_slots = 2;
    while (n_slots / 2 < (size_t)n_expected + 1) {
        n_slots *= 2;
    }
    size_t bytes = checked_product(n_slots, sizeof *merges->slot);
    merges->slot = malloc(bytes);
    if (merges->slot == NULL) {
        return error_no_memory(error, "merges", bytes);
    }
    memset(merges->slot, 0xff, bytes); /* every rank -1 */
    merges->n_slots = n_slots;
    merges->n = 0;
    return STATUS_OK;
}

void merges_free(struct merges *merges)
{
    free(merges->slot);
    *merges = (struct merges){0};
}

/* The slot of the pair, or the empty one where it would stand. */
static struct merge *slot_of(const struct merges *merges, int32_t left, int32_t right)
{
    size_t mask = merges->n_slots - 1;
    size_t at = hash_number((uint64_t)(uint32_t)left << 32 | (uint32_t)right) & mask;
    struct merge *slot = &merges->slot[at];
    while (slot->rank >= 0 && (slot->left != left || slot->right != right)) {
        at = (at + 1) & mask;
        slot = &merges->slot[at];
    }
    return slot;
}

enum status merges_add(struct merges *merges, int32_t left, int32_t right, int32_t id, struct error *error)
{
    REQUIRE((size_t)merges->n + 1 <= merges->n_slots / 2);
    struct merge *slot = slot_of(merges, left, right);
    if (slot->rank >= 0) {
        return error_set(error, STATUS_FORMAT, "the same pair as entry %d", (int)slot->rank);
    }
    *slot = (struct merge){left, right, merges->n++, id};
    return STATUS_OK;
}

const struct merge *merges_find(const struct merges *merges, int32_t left, int32_t right)
{
    const struct merge *slot = slot_of(merges, left, right);
    return slot->rank >= 0 ? slot : NULL;
}
