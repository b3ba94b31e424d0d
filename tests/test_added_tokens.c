#include "common/added_tokens.h"

#include <string.h>

#include "tests/support/test.h"

static struct error error;

static enum status add(struct added_tokens *tokens, const char *content, int32_t id, bool normalized)
{
    struct added_token token = {.id = id, .normalized = normalized};
    return added_tokens_add(tokens, content, strlen(content), token, &error);
}

static void assert_found(const struct added_tokens *tokens, bool normalized, const char *text, size_t at,
                         int32_t id)
{
    size_t place = 99;
    const struct added_token *token = added_tokens_search(tokens, normalized, text, strlen(text), &place);
    ck_assert_uint_eq(place, at);
    ck_assert_int_eq(token != NULL ? token->id : -1, id);
}

START_TEST(the_first_place_and_there_the_longest)
{
    struct added_tokens tokens = {0};
    ck_assert_int_eq(add(&tokens, "<|a|>", 1, false), STATUS_OK);
    ck_assert_int_eq(add(&tokens, "<|a|>b", 2, false), STATUS_OK);
    ck_assert_int_eq(add(&tokens, "<", 3, false), STATUS_OK);
    ck_assert_int_eq(add(&tokens, "<|a|", 4, true), STATUS_OK);
    assert_found(&tokens, false, "x<|a|>c", 1, 1);
    assert_found(&tokens, false, "x<|a|>b", 1, 2);
    assert_found(&tokens, false, "x <|a|", 2, 3);
    assert_found(&tokens, false, "nothing", 7, -1);
    assert_found(&tokens, false, "", 0, -1);
    assert_found(&tokens, true, "x<|a|>b", 1, 4);
    assert_found(&tokens, true, "<|a", 3, -1);
    ck_assert_int_eq(added_tokens_by_id(&tokens, 2)->id, 2);
    ck_assert_ptr_null(added_tokens_by_id(&tokens, 5));
    ck_assert_int_eq(added_tokens_by_content(&tokens, "<|a|>", 5)->id, 1);
    ck_assert_ptr_null(added_tokens_by_content(&tokens, "<|a|>", 3));
    added_tokens_free(&tokens);
    added_tokens_free(&tokens);
}
END_TEST

START_TEST(what_cannot_be_told_apart_is_refused)
{
    struct added_tokens tokens = {0};
    ck_assert_int_eq(add(&tokens, "", 1, false), STATUS_FORMAT);
    ck_assert_str_eq(error.message, "content: expected a text, found \"\"");
    ck_assert_int_eq(add(&tokens, "<x>", 1, false), STATUS_OK);
    ck_assert_int_eq(add(&tokens, "<x>", 2, true), STATUS_FORMAT);
    ck_assert_str_eq(error.message, "content: expected each text once, found \"<x>\" again");
    added_tokens_free(&tokens);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("added_tokens");
    add_test(suite, "first and longest", the_first_place_and_there_the_longest);
    add_test(suite, "refused", what_cannot_be_told_apart_is_refused);
    return suite;
}
