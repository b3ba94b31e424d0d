/* pretoken_cache.h: remembers the ids of pre-tokens seen earlier in the same text.
 * Introduced in chapter 6.
 *
 * Words repeat, and a word always gives the same ids. The cache copies nothing: a key is a place in the text, a value a
 * place in the list of ids that is being made. It lives for one text, so the tokenizer itself stays unchanged and can be
 * shared between threads. */
#ifndef COMMON_PRETOKEN_CACHE_H
#define COMMON_PRETOKEN_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"
#include "common/token_ids.h"

struct pretoken_cache_slot {
    const char *text; /* NULL: empty */
    size_t first_id;  /* place in the list of ids */
    uint32_t hash, length, n_ids;
};

struct pretoken_cache {
    struct pretoken_cache_slot *slot; /* [n_slots]: one for each hash, the latest wins */
    size_t n_slots;
};

/* For a text of this many bytes: a short one gets a small table. */
enum status pretoken_cache_init(struct pretoken_cache *cache, size_t text_size, struct error *error);
void pretoken_cache_free(struct pretoken_cache *cache);

/* Appends the ids of the pre-token when they are known; otherwise *slot is where to remember them (NULL: not worth it).
 * The text must stay where it is, and ids may only grow, as long as the cache is used. */
enum status pretoken_cache_look_up(struct pretoken_cache *cache, const char *text, size_t length,
                                   struct token_ids *ids, bool *found, struct pretoken_cache_slot **slot,
                                   struct error *error);

#endif
