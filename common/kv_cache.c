#include "common/kv_cache.h"

#include <stdlib.h>

#include "common/matmul.h"
#include "common/require.h"

enum status kv_cache_init(struct kv_cache *cache, int n_layers, int n_kv_heads, int head_dim, int capacity,
                          struct error *error)
{
    REQUIRE(n_layers > 0 && n_kv_heads > 0 && head_dim > 0 && capacity > 0);
    size_t rows = checked_product(checked_product((size_t)n_layers, (size_t)n_kv_heads), (size_t)capacity);
    size_t n = checked_product(rows, (size_t)head_dim);
    *cache =
        (struct kv_cache){n_layers, n_kv_heads, head_dim, capacity, 0, matmul_memory(n), matmul_memory(n)};
    if (cache->k == NULL || cache->v == NULL) {
        kv_cache_free(cache);
        return error_no_memory(error, "KV cache", checked_product(n, sizeof(float)));
    }
    return STATUS_OK;
}

void kv_cache_free(struct kv_cache *cache)
{
    free(cache->k);
    free(cache->v);
    *cache = (struct kv_cache){0};
}

void kv_cache_truncate(struct kv_cache *cache, int length)
{
    REQUIRE(length >= 0 && length <= cache->length);
    cache->length = length;
}

static size_t head_offset(const struct kv_cache *cache, int layer, int kv_head)
{
    REQUIRE(layer >= 0 && layer < cache->n_layers);
    REQUIRE(kv_head >= 0 && kv_head < cache->n_kv_heads);
    size_t head = (size_t)layer * (size_t)cache->n_kv_heads + (size_t)kv_head;
    return head * (size_t)cache->capacity * (size_t)cache->head_dim;
}

float *kv_cache_keys(const struct kv_cache *cache, int layer, int kv_head)
{
    return cache->k + head_offset(cache, layer, kv_head);
}

float *kv_cache_values(const struct kv_cache *cache, int layer, int kv_head)
{
    return cache->v + head_offset(cache, layer, kv_head);
}

size_t kv_cache_bytes_per_token(int n_layers, int n_kv_heads, int head_dim)
{
    REQUIRE(n_layers > 0 && n_kv_heads > 0 && head_dim > 0);
    size_t keys = checked_product(checked_product((size_t)n_layers, (size_t)n_kv_heads), (size_t)head_dim);
    return checked_product(keys, 2 * sizeof(float)); /* a key and a value */
}

enum status batch_place(struct batch *batch, struct error *error)
{
    REQUIRE(batch->n_tokens >= 0);
    for (int t = 0; t < batch->n_tokens; t++) {
        struct kv_cache *cache = batch->sequence[t];
        if (cache->length < cache->capacity) {
            batch->slot[t] = cache->length++;
            continue;
        }
        for (int placed = 0; placed < t; placed++) {
            batch->sequence[placed]->length--;
        }
        return error_set(error, STATUS_LIMIT,
                         "context: full: %d tokens fit, token %d of this pass is one more", cache->capacity,
                         t + 1);
    }
    return STATUS_OK;
}

int batch_longest_sequence(const struct batch *batch)
{
    int longest = 0;
    for (int t = 0; t < batch->n_tokens; t++) {
        if (batch->sequence[t]->length > longest) {
            longest = batch->sequence[t]->length;
        }
    }
    return longest;
}
