/* kv_cache.h: the keys and values of one sequence, kept so that a new token does not compute them again; and the batch,
 * the list of tokens that goes through a model together.
 * Introduced in chapter 5. */
#ifndef COMMON_KV_CACHE_H
#define COMMON_KV_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

/* Keys are stored as they are used: already rotated, never rotated again. Slot s holds the s-th token of the sequence;
 * its position (the angle of its rotation) is the caller's affair and may have gaps. */
struct kv_cache {
    int n_layers, n_kv_heads, head_dim;
    int capacity; /* slots */
    int length;   /* slots in use */
    float *k, *v; /* [n_layers, n_kv_heads, capacity, head_dim], owned */
};

/* errors: STATUS_NO_MEMORY (sizes that do not fit size_t included). requires all sizes > 0. */
enum status kv_cache_init(struct kv_cache *cache, int n_layers, int n_kv_heads, int head_dim, int capacity,
                          struct error *error);
void kv_cache_free(struct kv_cache *cache);

/* Forgets all but the first length tokens. requires 0 <= length <= cache->length. */
void kv_cache_truncate(struct kv_cache *cache, int length);

/* The rows [capacity, head_dim] of one layer and head. */
float *kv_cache_keys(const struct kv_cache *cache, int layer, int kv_head);
float *kv_cache_values(const struct kv_cache *cache, int layer, int kv_head);

/* Bytes that one token takes in all layers: 2 * n_layers * n_kv_heads * head_dim * 4. */
size_t kv_cache_bytes_per_token(int n_layers, int n_kv_heads, int head_dim);

/* Every token carries its own position and the sequence it belongs to. Prefill is many tokens of one sequence, decode
 * one token, a batch of requests tokens of several sequences, packed sequences the same thing: one code path.
 *
 * Tokens of one sequence stand in the batch in their order. A token attends to what its sequence holds up to and
 * including its own slot (causal), or, with a mask, to exactly the slots whose byte in its row is not 0. */
struct batch {
    int n_tokens;
    const int32_t *token;    /* [n_tokens] ids; a single block does not look at them and allows NULL */
    const int32_t *position; /* [n_tokens], from 0 */
    struct kv_cache *const *sequence; /* [n_tokens] */
    int32_t *slot;                    /* [n_tokens], the caller's memory, filled by batch_place */
    const uint8_t *mask;              /* row of token t at mask + t * mask_stride; NULL: causal */
    size_t mask_stride;
};

/* Gives each token the next slot of its sequence and lengthens the sequences. Once per pass, before the first layer.
 * errors: STATUS_LIMIT when a cache is full; then nothing has changed. */
enum status batch_place(struct batch *batch, struct error *error);

/* The slots in use in the longest sequence of the batch; 0 for no tokens. */
int batch_longest_sequence(const struct batch *batch);

#endif
