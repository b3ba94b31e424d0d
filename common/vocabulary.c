#include "common/vocabulary.h"

#include <stdlib.h>
#include <string.h>

#include "common/hash.h"

void vocabulary_free(struct vocabulary *vocabulary)
{
    free(vocabulary->bytes);
    free(vocabulary->piece);
    free(vocabulary->slot);
    *vocabulary = (struct vocabulary){0};
}

/* The array, or a larger copy with room for wanted elements; NULL and an error when there is no memory. */
static void *grow(void *array, size_t *capacity, size_t wanted, size_t element, struct error *error)
{
    if (wanted <= *capacity) {
        return array;
    }
    size_t larger = wanted > 2 * *capacity ? wanted : 2 * *capacity;
    size_t bytes = checked_product(larger, element);
    void *grown = realloc(array, bytes);
    if (grown == NULL) {
        error_no_memory(error, "vocabulary", bytes);
        return NULL;
    }
    *capacity = larger;
    return grown;
}

static enum status reserve_id(struct vocabulary *vocabulary, int id, struct error *error)
{
    if (id < vocabulary->size) {
        return STATUS_OK;
    }
    size_t capacity = (size_t)vocabulary->capacity;
    struct vocabulary_piece *piece = grow(vocabulary->piece, &capacity, (size_t)id + 1, sizeof *piece, error);
    if (piece == NULL) {
        return STATUS_NO_MEMORY;
    }
    vocabulary->piece = piece;
    vocabulary->capacity = (int)capacity;
    memset(piece + vocabulary->size, 0, (size_t)(id + 1 - vocabulary->size) * sizeof *piece);
    vocabulary->size = id + 1;
    return STATUS_OK;
}

enum status vocabulary_add(struct vocabulary *vocabulary, int64_t id, const char *bytes, size_t length,
                           bool findable, struct error *error)
{
    if (id < 0 || id >= VOCABULARY_MAX_SIZE) {
        return error_set(error, STATUS_FORMAT, "expected an id from 0 to %d, found %lld",
                         VOCABULARY_MAX_SIZE - 1, (long long)id);
    }
    if (reserve_id(vocabulary, (int)id, error) != STATUS_OK) {
        return STATUS_NO_MEMORY;
    }
    struct vocabulary_piece *piece = &vocabulary->piece[id];
    if (piece->present) {
        return error_set(error, STATUS_FORMAT, "expected each id once, found %d again", (int)id);
    }
    if (vocabulary->n_bytes > UINT32_MAX - length) {
        return error_set(error, STATUS_LIMIT, "more than 4 GB of tokens");
    }
    char *grown =
        grow(vocabulary->bytes, &vocabulary->bytes_capacity, vocabulary->n_bytes + length + 1, 1, error);
    if (grown == NULL) {
        return STATUS_NO_MEMORY;
    }
    vocabulary->bytes = grown;
    memcpy(vocabulary->bytes + vocabulary->n_bytes, bytes, length);
    *piece = (struct vocabulary_piece){(uint32_t)vocabulary->n_bytes, (uint32_t)length, true, findable};
    vocabulary->n_bytes += length;
    return STATUS_OK;
}

/* The slot where these bytes stand, or the empty one where they would. */
static struct vocabulary_slot *slot_of(const struct vocabulary *vocabulary, uint32_t hash, const char *bytes,
                                       size_t length)
{
    size_t mask = vocabulary->n_slots - 1;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
        struct vocabulary_slot *slot = &vocabulary->slot[at];
        if (slot->id < 0) {
            return slot;
        }
        const struct vocabulary_piece *piece = &vocabulary->piece[slot->id];
        if (slot->hash == hash && piece->length == length &&
            memcmp(vocabulary->bytes + piece->start, bytes, length) == 0) {
            return slot;
        }
    }
}

enum status vocabulary_index(struct vocabulary *vocabulary, struct error *error)
{
    size_t n_slots = 2;
    /* At most half full, so that a search is short and ends. */
    while (n_slots < 2 * (size_t)vocabulary->size) {
        n_slots *= 2;
    }
    size_t bytes = checked_product(n_slots, sizeof *vocabulary->slot);
    vocabulary->slot = malloc(bytes);
    if (vocabulary->slot == NULL) {
        return error_no_memory(error, "vocabulary", bytes);
    }
    vocabulary->n_slots = n_slots;
    memset(vocabulary->slot, 0xff, bytes); /* every id -1 */
    for (int id = 0; id < vocabulary->size; id++) {
        const struct vocabulary_piece *piece = &vocabulary->piece[id];
        if (!piece->findable) {
            continue;
        }
        uint32_t hash = hash_bytes(vocabulary->bytes + piece->start, piece->length);
        struct vocabulary_slot *slot =
            slot_of(vocabulary, hash, vocabulary->bytes + piece->start, piece->length);
        if (slot->id >= 0) {
            return error_set(error, STATUS_FORMAT, "ids %d and %d are the same token", (int)slot->id, id);
        }
        *slot = (struct vocabulary_slot){hash, id};
    }
    return STATUS_OK;
}

int32_t vocabulary_find(const struct vocabulary *vocabulary, const char *bytes, size_t length)
{
    return slot_of(vocabulary, hash_bytes(bytes, length), bytes, length)->id;
}

const char *vocabulary_piece(const struct vocabulary *vocabulary, int32_t id, size_t *length)
{
    if (id < 0 || id >= vocabulary->size || !vocabulary->piece[id].present) {
        *length = 0;
        return "";
    }
    *length = vocabulary->piece[id].length;
    return vocabulary->bytes + vocabulary->piece[id].start;
}
