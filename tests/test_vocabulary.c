#include "common/vocabulary.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/test.h"

static struct error error;

START_TEST(tokens_are_found_by_bytes_and_by_id)
{
    struct vocabulary vocabulary = {0};
    enum { N = 5000 };
    char word[32];
    for (int i = N - 1; i >= 0; i--) { /* ids in any order, with holes */
        snprintf(word, sizeof word, "w%d", i);
        ck_assert_int_eq(vocabulary_add(&vocabulary, 2 * i, word, strlen(word), true, &error), STATUS_OK);
    }
    ck_assert_int_eq(vocabulary_add(&vocabulary, 1, "shown", 5, false, &error), STATUS_OK);
    ck_assert_int_eq(vocabulary_index(&vocabulary, &error), STATUS_OK);
    ck_assert_int_eq(vocabulary.size, 2 * N - 1);
    size_t length;
    for (int i = 0; i < N; i++) {
        snprintf(word, sizeof word, "w%d", i);
        ck_assert_int_eq(vocabulary_find(&vocabulary, word, strlen(word)), 2 * i);
        const char *piece = vocabulary_piece(&vocabulary, 2 * i, &length);
        ck_assert_uint_eq(length, strlen(word));
        ck_assert_mem_eq(piece, word, length);
    }
    ck_assert_int_eq(vocabulary_find(&vocabulary, "shown", 5), -1);
    ck_assert_int_eq(vocabulary_find(&vocabulary, "w", 1), -1);
    ck_assert_int_eq(vocabulary_find(&vocabulary, "", 0), -1);
    vocabulary_piece(&vocabulary, 1, &length);
    ck_assert_uint_eq(length, 5);
    static const int32_t nothing[] = {-1, INT32_MIN, 3, 2 * N - 1, INT32_MAX};
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
        ck_assert_ptr_nonnull(vocabulary_piece(&vocabulary, nothing[i], &length));
        ck_assert_uint_eq(length, 0);
    }
    vocabulary_free(&vocabulary);
    vocabulary_free(&vocabulary);
}
END_TEST

START_TEST(bad_ids_are_refused)
{
    struct vocabulary vocabulary = {0};
    ck_assert_int_eq(vocabulary_add(&vocabulary, 3, "a", 1, true, &error), STATUS_OK);
    ck_assert_int_eq(vocabulary_add(&vocabulary, 3, "b", 1, true, &error), STATUS_FORMAT);
    ck_assert_str_eq(error.message, "expected each id once, found 3 again");
    ck_assert_int_eq(vocabulary_add(&vocabulary, -1, "b", 1, true, &error), STATUS_FORMAT);
    ck_assert_str_eq(error.message, "expected an id from 0 to 2097151, found -1");
    ck_assert_int_eq(vocabulary_add(&vocabulary, VOCABULARY_MAX_SIZE, "b", 1, true, &error), STATUS_FORMAT);
    ck_assert_int_eq(vocabulary_add(&vocabulary, INT64_C(1) << 32, "b", 1, true, &error), STATUS_FORMAT);
    ck_assert_int_eq(vocabulary_add(&vocabulary, VOCABULARY_MAX_SIZE - 1, "b", 1, true, &error), STATUS_OK);
    vocabulary_free(&vocabulary);
}
END_TEST

START_TEST(two_ids_for_the_same_bytes_are_refused)
{
    struct vocabulary vocabulary = {0};
    ck_assert_int_eq(vocabulary_add(&vocabulary, 0, "same", 4, true, &error), STATUS_OK);
    ck_assert_int_eq(vocabulary_add(&vocabulary, 9, "same", 4, true, &error), STATUS_OK);
    ck_assert_int_eq(vocabulary_index(&vocabulary, &error), STATUS_FORMAT);
    ck_assert_str_eq(error.message, "ids 0 and 9 are the same token");
    vocabulary_free(&vocabulary);
}
END_TEST

START_TEST(an_empty_vocabulary_finds_nothing)
{
    struct vocabulary vocabulary = {0};
    ck_assert_int_eq(vocabulary_index(&vocabulary, &error), STATUS_OK);
    ck_assert_int_eq(vocabulary_find(&vocabulary, "a", 1), -1);
    vocabulary_free(&vocabulary);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("vocabulary");
    add_test(suite, "bytes and ids", tokens_are_found_by_bytes_and_by_id);
    add_test(suite, "bad ids", bad_ids_are_refused);
    add_test(suite, "same bytes", two_ids_for_the_same_bytes_are_refused);
    add_test(suite, "empty", an_empty_vocabulary_finds_nothing);
    return suite;
}
