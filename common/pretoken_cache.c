#include "common/pretoken_cache.h"

#include <stdlib.h>
#include <string.h>

#include "common/hash.h"

enum { MAX_SLOTS = 1 << 15, MAX_LENGTH = 64 }; /* a longer pre-token seldom comes twice */

enum status pretoken_cache_init(struct pretoken_cache *cache, size_t text_size, struct error *error)
{
    size_t n_slots = 1;
    while (n_slots < MAX_SLOTS && n_slots < text_size / 8) {
        n_slots *= 2;
    }
    cache->n_slots = n_slots;
    cache->slot = calloc(n_slots, sizeof *cache->slot);
    return cache->slot != NULL ? STATUS_OK
                               : error_no_memory(error, "cache of words", n_slots * sizeof *cache->slot);
}

void pretoken_cache_free(struct pretoken_cache *cache)
{
    free(cache->slot);
    cache->slot = NULL;
}

enum status pretoken_cache_look_up(struct pretoken_cache *cache, const char *text, size_t length,
                                   struct token_ids *ids, bool *found, struct pretoken_cache_slot **slot,
                                   struct error *error)
{
    *found = false;
    *slot = NULL;
    if (length > MAX_LENGTH) {
        return STATUS_OK;
    }
    uint32_t hash = hash_bytes(text, length);
    struct pretoken_cache_slot *place = &cache->slot[hash & (cache->n_slots - 1)];
    if (place->text == NULL || place->hash != hash || place->length != length ||
        memcmp(place->text, text, length) != 0) {
        *place = (struct pretoken_cache_slot){text, ids->n, hash, (uint32_t)length, 0};
        *slot = place;
        return STATUS_OK;
    }
    enum status status = token_ids_reserve(ids, place->n_ids, error);
    if (status == STATUS_OK) {
        for (uint32_t i = 0; i < place->n_ids; i++) {
            ids->id[ids->n++] = ids->id[place->first_id + i];
        }
        *found = true;
    }
    return status;
}
