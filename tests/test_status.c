#include <stdint.h>
#include <string.h>

#include "common/status.h"
#include "tests/support/test.h"

START_TEST(a_message_says_what_and_why)
{
    struct error error;
    ck_assert_int_eq(error_set(&error, STATUS_IO, "%s: %s", "model.bin", "No such file"), STATUS_IO);
    ck_assert_int_eq(error.status, STATUS_IO);
    ck_assert_str_eq(error.message, "model.bin: No such file");
    ck_assert_int_eq(error_set(NULL, STATUS_IO, "nobody asks"), STATUS_IO);
}
END_TEST

START_TEST(a_message_stays_on_one_line)
{
    struct error error;
    error_set(&error, STATUS_FORMAT, "%s", "a\nb\tc\x1b[31m\x7f");
    ck_assert_str_eq(error.message, "a?b?c?[31m?");
}
END_TEST

START_TEST(a_long_message_is_cut)
{
    struct error error;
    char text[2 * sizeof error.message];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    error_set(&error, STATUS_FORMAT, "%s", text);
    ck_assert_uint_eq(strlen(error.message), sizeof error.message - 1);
    error_in(&error, "where");
    ck_assert_uint_eq(strlen(error.message), sizeof error.message - 1);
    ck_assert_int_eq(strncmp(error.message, "where: xxx", 10), 0);
}
END_TEST

START_TEST(a_place_is_put_in_front)
{
    struct error error;
    error_no_memory(&error, "cache", 64);
    ck_assert_int_eq(error_in(&error, "layer 3"), STATUS_NO_MEMORY);
    ck_assert_str_eq(error.message, "layer 3: cache: out of memory (64 bytes)");
}
END_TEST

START_TEST(a_product_that_does_not_fit_is_the_largest_size)
{
    ck_assert_uint_eq(checked_product(3, 7), 21);
    ck_assert_uint_eq(checked_product(0, 7), 0);
    ck_assert_uint_eq(checked_product(7, 0), 0);
    ck_assert_uint_eq(checked_product(SIZE_MAX, 1), SIZE_MAX);
    ck_assert_uint_eq(checked_product(SIZE_MAX / 2 + 1, 2), SIZE_MAX);
    ck_assert_uint_eq(checked_product(SIZE_MAX / 2, 2), SIZE_MAX - 1);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("status");
    add_test(suite, "a message says what and why", a_message_says_what_and_why);
    add_test(suite, "a message stays on one line", a_message_stays_on_one_line);
    add_test(suite, "a long message is cut", a_long_message_is_cut);
    add_test(suite, "a place is put in front", a_place_is_put_in_front);
    add_test(suite, "a product that does not fit", a_product_that_does_not_fit_is_the_largest_size);
    return suite;
}
