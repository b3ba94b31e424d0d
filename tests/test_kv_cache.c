#include "common/kv_cache.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "tests/support/run_program.h"
#include "tests/support/test.h"

START_TEST(keeps_heads_apart)
{
    enum { LAYERS = 2, HEADS = 3, DIM = 4, CAPACITY = 5 };
    struct kv_cache cache;
    ck_assert_int_eq(kv_cache_init(&cache, LAYERS, HEADS, DIM, CAPACITY, NULL), STATUS_OK);
    for (int layer = 0; layer < LAYERS; layer++) {
        for (int head = 0; head < HEADS; head++) {
            for (int i = 0; i < CAPACITY * DIM; i++) {
                kv_cache_keys(&cache, layer, head)[i] = (float)(100 * layer + 10 * head);
                kv_cache_values(&cache, layer, head)[i] = (float)-(100 * layer + 10 * head);
            }
        }
    }
    for (int layer = 0; layer < LAYERS; layer++) {
        for (int head = 0; head < HEADS; head++) {
            for (int i = 0; i < CAPACITY * DIM; i++) {
                ck_assert(kv_cache_keys(&cache, layer, head)[i] == (float)(100 * layer + 10 * head));
                ck_assert(kv_cache_values(&cache, layer, head)[i] == (float)-(100 * layer + 10 * head));
            }
        }
    }
    kv_cache_free(&cache);
    kv_cache_free(&cache); /* a freed cache is a zeroed struct */
}
END_TEST

/* cases.md 14: the product does not wrap around; nothing is allocated. */
START_TEST(refuses_sizes_that_do_not_fit)
{
    struct kv_cache cache;
    struct error error;
    ck_assert_int_eq(kv_cache_init(&cache, INT_MAX, INT_MAX, INT_MAX, INT_MAX, &error), STATUS_NO_MEMORY);
    assert_contains(error.message, "KV cache: out of memory");
    ck_assert_ptr_null(cache.k);
    kv_cache_free(&cache);
}
END_TEST

/* Qwen2.5-0.5B: 24 layers, 2 key/value heads of 64, keys and values in float32. */
START_TEST(counts_bytes_per_token)
{
    ck_assert_uint_eq(kv_cache_bytes_per_token(24, 2, 64), 24576);
    ck_assert_uint_eq(kv_cache_bytes_per_token(24, 14, 64), 7 * 24576);
    ck_assert_uint_eq(kv_cache_bytes_per_token(1, 1, 2), 16);
}
END_TEST

/* Tokens of two sequences, mixed: each takes the next slot of its own. */
START_TEST(places_tokens_in_their_sequences)
{
    struct kv_cache a, b;
    ck_assert_int_eq(kv_cache_init(&a, 1, 1, 2, 8, NULL), STATUS_OK);
    ck_assert_int_eq(kv_cache_init(&b, 1, 1, 2, 8, NULL), STATUS_OK);
    b.length = 4;
    struct kv_cache *const sequence[] = {&a, &b, &a, &a, &b};
    int32_t slot[5];
    struct batch batch = {.n_tokens = 5, .sequence = sequence, .slot = slot};
    ck_assert_int_eq(batch_place(&batch, NULL), STATUS_OK);
    const int32_t expected[] = {0, 4, 1, 2, 5};
    ck_assert_mem_eq(slot, expected, sizeof slot);
    ck_assert_int_eq(a.length, 3);
    ck_assert_int_eq(b.length, 6);
    ck_assert_int_eq(batch_longest_sequence(&batch), 6);
    kv_cache_truncate(&a, 1);
    ck_assert_int_eq(a.length, 1);
    kv_cache_free(&a);
    kv_cache_free(&b);
}
END_TEST

/* cases.md 35: after 9 prompt tokens the first decode writes slot 9. */
START_TEST(decode_follows_the_prompt)
{
    struct kv_cache cache;
    ck_assert_int_eq(kv_cache_init(&cache, 1, 1, 2, 10, NULL), STATUS_OK);
    struct kv_cache *sequence[9];
    int32_t slot[9];
    for (int t = 0; t < 9; t++) {
        sequence[t] = &cache;
    }
    struct batch prompt = {.n_tokens = 9, .sequence = sequence, .slot = slot};
    struct batch next = {.n_tokens = 1, .sequence = sequence, .slot = slot};
    ck_assert_int_eq(batch_place(&prompt, NULL), STATUS_OK);
    ck_assert_int_eq(slot[8], 8);
    ck_assert_int_eq(batch_place(&next, NULL), STATUS_OK);
    ck_assert_int_eq(slot[0], 9);
    kv_cache_free(&cache);
}
END_TEST

START_TEST(a_full_cache_changes_nothing)
{
    struct kv_cache a, b;
    struct error error;
    ck_assert_int_eq(kv_cache_init(&a, 1, 1, 2, 8, NULL), STATUS_OK);
    ck_assert_int_eq(kv_cache_init(&b, 1, 1, 2, 2, NULL), STATUS_OK);
    b.length = 1;
    struct kv_cache *const sequence[] = {&a, &b, &a, &b};
    int32_t slot[4];
    struct batch batch = {.n_tokens = 4, .sequence = sequence, .slot = slot};
    ck_assert_int_eq(batch_place(&batch, &error), STATUS_LIMIT);
    ck_assert_str_eq(error.message, "context: full: 2 tokens fit, token 4 of this pass is one more");
    ck_assert_int_eq(a.length, 0);
    ck_assert_int_eq(b.length, 1);
    kv_cache_free(&a);
    kv_cache_free(&b);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("kv_cache");
    add_test(suite, "keeps_heads_apart", keeps_heads_apart);
    add_test(suite, "refuses_sizes_that_do_not_fit", refuses_sizes_that_do_not_fit);
    add_test(suite, "counts_bytes_per_token", counts_bytes_per_token);
    add_test(suite, "places_tokens_in_their_sequences", places_tokens_in_their_sequences);
    add_test(suite, "decode_follows_the_prompt", decode_follows_the_prompt);
    add_test(suite, "a_full_cache_changes_nothing", a_full_cache_changes_nothing);
    return suite;
}
