#include "common/pretoken_cache.h"

#include <string.h>

#include "tests/support/test.h"

static struct error error;

/* Looks the word up; when it is not known, remembers one id, its length. */
static bool look_up(struct pretoken_cache *cache, const char *word, struct token_ids *ids)
{
    bool found;
    struct pretoken_cache_slot *slot;
    size_t length = strlen(word);
    ck_assert_int_eq(pretoken_cache_look_up(cache, word, length, ids, &found, &slot, &error), STATUS_OK);
    if (!found) {
        ck_assert_int_eq(token_ids_append(ids, (int32_t)length, &error), STATUS_OK);
        if (slot != NULL) {
            slot->n_ids = 1;
        }
    }
    return found;
}

START_TEST(a_word_is_known_the_second_time)
{
    struct pretoken_cache cache = {0};
    struct token_ids ids = {0};
    ck_assert_int_eq(pretoken_cache_init(&cache, 1 << 20, &error), STATUS_OK);
    ck_assert(!look_up(&cache, " the", &ids));
    ck_assert(!look_up(&cache, " they", &ids));
    ck_assert(look_up(&cache, " the", &ids));
    ck_assert(look_up(&cache, " they", &ids));
    static const int32_t expected[] = {4, 5, 4, 5};
    ck_assert_uint_eq(ids.n, 4);
    ck_assert_mem_eq(ids.id, expected, sizeof expected);
    token_ids_free(&ids);
    pretoken_cache_free(&cache);
}
END_TEST

START_TEST(words_that_share_a_slot_are_told_apart)
{
    struct pretoken_cache cache = {0};
    struct token_ids ids = {0};
    ck_assert_int_eq(pretoken_cache_init(&cache, 0, &error), STATUS_OK); /* one slot */
    ck_assert_uint_eq(cache.n_slots, 1);
    ck_assert(!look_up(&cache, "a", &ids));
    ck_assert(!look_up(&cache, "bb", &ids));
    ck_assert(!look_up(&cache, "a", &ids));
    ck_assert(look_up(&cache, "a", &ids));
    token_ids_free(&ids);
    pretoken_cache_free(&cache);
}
END_TEST

START_TEST(a_long_word_is_not_worth_it)
{
    struct pretoken_cache cache = {0};
    struct token_ids ids = {0};
    ck_assert_int_eq(pretoken_cache_init(&cache, 1000, &error), STATUS_OK);
    char word[101];
    memset(word, 'x', 100);
    word[100] = '\0';
    ck_assert(!look_up(&cache, word, &ids));
    ck_assert(!look_up(&cache, word, &ids));
    token_ids_free(&ids);
    pretoken_cache_free(&cache);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("pretoken_cache");
    add_test(suite, "the second time", a_word_is_known_the_second_time);
    add_test(suite, "one slot", words_that_share_a_slot_are_told_apart);
    add_test(suite, "a long word", a_long_word_is_not_worth_it);
    return suite;
}
