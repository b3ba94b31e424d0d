/* test_splitter.c holds this to the regex on goldens and random text; here is what it leaves to the regex. */
#include "common/split_ascii.h"

#include "tests/support/test.h"

START_TEST(bytes_above_127_are_left_to_the_regex)
{
    ck_assert_uint_eq(split_ascii("\u00e9", 2), 0);
    ck_assert_uint_eq(split_ascii("a\u00e9", 3), 0);
    ck_assert_uint_eq(split_ascii("  \u00e9", 4), 0);
    ck_assert_uint_eq(split_ascii("..\u00e9", 4), 0);
    ck_assert_uint_eq(split_ascii("'\u00e9", 3), 0);
    ck_assert_uint_eq(split_ascii("\n\u00e9", 3), 0);
}
END_TEST

START_TEST(what_cannot_change_it_is_not_waited_for)
{
    ck_assert_uint_eq(split_ascii("1\u00e9", 3), 1);
    ck_assert_uint_eq(split_ascii(".\n\u00e9", 4), 2);
    ck_assert_uint_eq(split_ascii("a.\u00e9", 4), 1);
    ck_assert_uint_eq(split_ascii("'s\u00e9", 4), 2);
}
END_TEST

START_TEST(nothing_is_read_behind_the_end)
{
    ck_assert_uint_eq(split_ascii("a\u00e9", 1), 1);
    ck_assert_uint_eq(split_ascii(" a", 1), 1);
    ck_assert_uint_eq(split_ascii("'s", 1), 1);
    ck_assert_uint_eq(split_ascii("'re", 2), 2); /* an apostrophe and a letter */
    ck_assert_uint_eq(split_ascii("\0\0", 2), 2);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("split_ascii");
    add_test(suite, "above 127", bytes_above_127_are_left_to_the_regex);
    add_test(suite, "not waited for", what_cannot_change_it_is_not_waited_for);
    add_test(suite, "the end", nothing_is_read_behind_the_end);
    return suite;
}
