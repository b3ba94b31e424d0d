#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

static enum status parse(json_t **root, const char *text, struct error *error)
{
    return json_read_bytes(root, text, strlen(text), "a.json", error);
}

START_TEST(text_that_is_not_strict_json_is_refused_with_its_place)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "a.json: not valid JSON: line 1, column 0: '[' or '{' expected near end of file"},
        {"{\"a\": 1", "a.json: not valid JSON: line 1, column 7: '}' expected near end of file"},
        {"{\"a\": 1}\n x", "a.json: not valid JSON: line 2, column 2: end of file expected near 'x'"},
        {"{\"a\": 1, \"a\": 2}",
         "a.json: not valid JSON: line 1, column 12: duplicate object key near '\"a\"'"},
        {"[1]", "a.json: expected an object, found a list"},
        {"{\"a\": NaN}", "a.json: not valid JSON: line 1, column 9: invalid token near 'NaN'"},
        {"{\"a\": 1e999}", "a.json: not valid JSON: line 1, column 11: real number overflow near '1e999'"},
        {"{\"a\": 99999999999999999999}",
         "a.json: not valid JSON: line 1, column 26: too big integer near '99999999999999999999'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        json_t *root = NULL;
        struct error error;
        enum status status = parse(&root, cases[i].text, &error);
        assert_error(status, &error, STATUS_FORMAT, "", cases[i].message);
        ck_assert_ptr_null(root);
    }
}
END_TEST

/* jansson 2.14 overlooks a NUL byte behind a number; found by make fuzz TARGET=json_scan. */
START_TEST(a_nul_byte_is_refused_wherever_it_stands)
{
    static const char text[] = "{\"a\": 1\0}";
    json_t *root = NULL;
    struct error error;
    enum status status = json_read_bytes(&root, text, sizeof text - 1, "a.json", &error);
    assert_error(status, &error, STATUS_FORMAT, "", "a.json: not valid JSON: a NUL byte at offset 7");
    ck_assert_ptr_null(root);
}
END_TEST

/* C reads a string to its first NUL: a value with one inside must not pass for what stands before it. */
START_TEST(a_string_with_a_nul_inside_is_no_text)
{
    json_t *root = NULL;
    struct error error;
    assert_ok(parse(&root, "{\"a\": \"qwen2\", \"b\": \"qwen2\\u0000\", \"c\": 2}", &error), &error);
    ck_assert(json_text_is(json_member(root, "a"), "qwen2"));
    ck_assert_str_eq(json_text(json_member(root, "a")), "qwen2");
    ck_assert(!json_text_is(json_member(root, "a"), "qwen"));
    ck_assert(!json_text_is(json_member(root, "b"), "qwen2"));
    ck_assert_ptr_null(json_text(json_member(root, "b")));
    ck_assert_ptr_null(json_text(json_member(root, "c")));
    ck_assert_ptr_null(json_text(json_member(root, "d")));
    json_decref(root);
}
END_TEST

START_TEST(nesting_without_end_is_refused_not_followed)
{
    char text[100000];
    json_t *root = NULL;
    struct error error;
    memset(text, '[', sizeof text);
    ck_assert_int_eq(json_read_bytes(&root, text, sizeof text, "a.json", &error), STATUS_FORMAT);
    ck_assert_ptr_null(root);
}
END_TEST

START_TEST(null_counts_as_absent_and_defaults_stay)
{
    json_t *root = NULL;
    struct error error;
    int number = 7;
    double real = 0.5;
    bool flag = true;
    assert_ok(parse(&root, "{\"n\": null, \"r\": null, \"f\": null}", &error), &error);
    assert_ok(json_get_int(root, "n", 0, 9, &number, "a.json", &error), &error);
    assert_ok(json_get_double(root, "r", &real, "a.json", &error), &error);
    assert_ok(json_get_bool(root, "f", &flag, "a.json", &error), &error);
    assert_ok(json_get_int(root, "missing", 0, 9, &number, "a.json", &error), &error);
    ck_assert_ptr_null(json_member(root, "n"));
    ck_assert_int_eq(number, 7);
    ck_assert_double_eq(real, 0.5);
    ck_assert(flag);
    json_decref(root);
}
END_TEST

START_TEST(typed_members_are_read)
{
    json_t *root = NULL;
    struct error error;
    int number = 0;
    double real = 0;
    double whole = 0;
    bool flag = true;
    assert_ok(parse(&root, "{\"n\": 9, \"r\": 1e-6, \"w\": 1000000, \"f\": false}", &error), &error);
    assert_ok(json_get_int(root, "n", 0, 9, &number, "a.json", &error), &error);
    assert_ok(json_get_double(root, "r", &real, "a.json", &error), &error);
    assert_ok(json_get_double(root, "w", &whole, "a.json", &error), &error);
    assert_ok(json_get_bool(root, "f", &flag, "a.json", &error), &error);
    ck_assert_int_eq(number, 9);
    ck_assert_double_eq(real, 1e-6);
    ck_assert_double_eq(whole, 1e6);
    ck_assert(!flag);
    json_decref(root);
}
END_TEST

START_TEST(another_type_or_range_names_file_key_and_what_was_found)
{
    json_t *root = NULL;
    struct error error;
    int number = 0;
    double real = 0;
    bool flag = false;
    assert_ok(parse(&root, "{\"a\": \"x\", \"b\": 10, \"c\": 1.5, \"d\": 1, \"e\": {}}", &error), &error);
    assert_error(json_get_int(root, "a", 1, 9, &number, "a.json", &error), &error, STATUS_FORMAT, "",
                 "a.json: a: expected a whole number from 1 to 9, found \"x\"");
    assert_error(json_get_int(root, "b", 1, 9, &number, "a.json", &error), &error, STATUS_FORMAT, "",
                 "a.json: b: expected a whole number from 1 to 9, found 10");
    assert_error(json_get_int(root, "c", 1, 9, &number, "a.json", &error), &error, STATUS_FORMAT, "",
                 "a.json: c: expected a whole number from 1 to 9, found 1.5");
    assert_error(json_get_double(root, "e", &real, "a.json", &error), &error, STATUS_FORMAT, "",
                 "a.json: e: expected a number, found {}");
    assert_error(json_get_bool(root, "d", &flag, "a.json", &error), &error, STATUS_FORMAT, "",
                 "a.json: d: expected true or false, found 1");
    json_decref(root);
}
END_TEST

/* The longest has 61 characters and its quotes: with the 0 behind 64 bytes. */
START_TEST(a_value_is_shown_whole_or_by_its_kind)
{
    char text[65];
    char out[JSON_SHOWN];
    for (int n = 61; n <= 62; n++) {
        memset(out, '#', sizeof out);
        snprintf(text, sizeof text, "\"%0*d\"", n, 7);
        json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
        ck_assert_str_eq(json_show(out, value), n == 61 ? text : "a string");
        json_decref(value);
    }
}
END_TEST

START_TEST(a_file_is_read_and_named)
{
    json_t *root = NULL;
    struct error error;
    char *folder = fresh_folder("json");
    write_text(folder, "good.json", "{\"a\": [1, 2]}\n");
    write_text(folder, "empty.json", "");
    char *good = test_path(folder, "good.json");
    char *empty = test_path(folder, "empty.json");
    char *missing = test_path(folder, "missing.json");
    assert_ok(json_read_file(&root, good, &error), &error);
    ck_assert_uint_eq(json_array_size(json_member(root, "a")), 2);
    json_decref(root);
    assert_error(json_read_file(&root, empty, &error), &error, STATUS_FORMAT, folder,
                 "empty.json: not valid JSON: line 1, column 0: '[' or '{' expected near end of file");
    assert_error(json_read_file(&root, missing, &error), &error, STATUS_IO, folder,
                 "missing.json: No such file or directory");
    ck_assert_ptr_null(root);
    free(good);
    free(empty);
    free(missing);
    free(folder);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("json");
    add_test(suite, "strict", text_that_is_not_strict_json_is_refused_with_its_place);
    add_test(suite, "a NUL byte", a_nul_byte_is_refused_wherever_it_stands);
    add_test(suite, "a NUL inside a string", a_string_with_a_nul_inside_is_no_text);
    add_test(suite, "nesting", nesting_without_end_is_refused_not_followed);
    add_test(suite, "null", null_counts_as_absent_and_defaults_stay);
    add_test(suite, "typed members", typed_members_are_read);
    add_test(suite, "other types", another_type_or_range_names_file_key_and_what_was_found);
    add_test(suite, "shown", a_value_is_shown_whole_or_by_its_kind);
    add_test(suite, "files", a_file_is_read_and_named);
    return suite;
}
