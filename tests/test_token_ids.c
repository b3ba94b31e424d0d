#include "common/token_ids.h"

#include "tests/support/test.h"

START_TEST(ids_come_back_in_order)
{
    struct token_ids ids = {0};
    struct error error;
    for (int32_t i = 0; i < 1000; i++) {
        ck_assert_int_eq(token_ids_append(&ids, i * 3, &error), STATUS_OK);
    }
    ck_assert_uint_eq(ids.n, 1000);
    for (int32_t i = 0; i < 1000; i++) {
        ck_assert_int_eq(ids.id[i], i * 3);
    }
    token_ids_free(&ids);
    ck_assert_uint_eq(ids.n, 0);
    ck_assert_ptr_null(ids.id);
    token_ids_free(&ids);
}
END_TEST

START_TEST(what_cannot_be_reserved_is_an_error)
{
    struct token_ids ids = {0};
    struct error error;
    ck_assert_int_eq(token_ids_append(&ids, 7, &error), STATUS_OK);
    ck_assert_int_eq(token_ids_reserve(&ids, SIZE_MAX, &error), STATUS_NO_MEMORY);
    ck_assert_int_eq(token_ids_reserve(&ids, SIZE_MAX / 2, &error), STATUS_NO_MEMORY);
    ck_assert_uint_eq(ids.n, 1);
    ck_assert_int_eq(ids.id[0], 7);
    ck_assert_int_eq(token_ids_reserve(&ids, 500, &error), STATUS_OK);
    ck_assert_uint_ge(ids.capacity, 501);
    token_ids_free(&ids);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("token_ids");
    add_test(suite, "append", ids_come_back_in_order);
    add_test(suite, "reserve", what_cannot_be_reserved_is_an_error);
    return suite;
}
