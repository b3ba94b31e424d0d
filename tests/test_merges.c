#include "common/merges.h"

#include "tests/support/test.h"

START_TEST(pairs_have_the_rank_of_their_place)
{
    enum { N = 20000 };
    struct merges merges = {0};
    struct error error;
    ck_assert_int_eq(merges_init(&merges, N, &error), STATUS_OK);
    for (int32_t i = 0; i < N; i++) {
        ck_assert_int_eq(merges_add(&merges, i % 150, i / 150, i + 7, &error), STATUS_OK);
    }
    for (int32_t i = 0; i < N; i++) {
        ck_assert_int_eq(merges_rank(&merges, i % 150, i / 150), i);
        ck_assert_int_eq(merges.id[i], i + 7);
    }
    for (int32_t left = 0; left < 300; left++) { /* every other pair has none */
        for (int32_t right = 0; right < 300; right++) {
            int32_t rank = right * 150 + left;
            ck_assert_int_eq(merges_rank(&merges, left, right), left < 150 && rank < N ? rank : -1);
        }
    }
    ck_assert_int_eq(merges_rank(&merges, MERGES_MAX - 1, MERGES_MAX - 1), -1);
    merges_free(&merges);
    merges_free(&merges);
}
END_TEST

START_TEST(a_pair_given_twice_is_refused)
{
    struct merges merges = {0};
    struct error error;
    ck_assert_int_eq(merges_init(&merges, 3, &error), STATUS_OK);
    ck_assert_int_eq(merges_add(&merges, 1, 2, 5, &error), STATUS_OK);
    ck_assert_int_eq(merges_add(&merges, 2, 1, 5, &error), STATUS_OK);
    ck_assert_int_eq(merges_add(&merges, 1, 2, 6, &error), STATUS_FORMAT);
    ck_assert_str_eq(error.message, "expected each pair once, found that of entry 0 again");
    ck_assert_int_eq(merges_add(&merges, MERGES_MAX - 1, MERGES_MAX - 1, 6, &error), STATUS_OK);
    ck_assert_int_eq(merges_rank(&merges, MERGES_MAX - 1, MERGES_MAX - 1), 2);
    merges_free(&merges);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("merges");
    add_test(suite, "ranks", pairs_have_the_rank_of_their_place);
    add_test(suite, "twice", a_pair_given_twice_is_refused);
    return suite;
}
