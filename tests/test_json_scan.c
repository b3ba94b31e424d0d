/* jansson is the reference: what the scan accepts, and what it reads, is what jansson accepts and reads. */
#include "common/json_scan.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "tests/support/test.h"
#include "tests/support/tokens.h"

static void compare_string(const char *text, size_t size)
{
    json_t *value = json_loadb(text, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    struct json_scan scan = {text, text + size};
    char *out = malloc(size + 1); /* as little as is promised: the sanitizer sees one byte more */
    expect(out != NULL);
    size_t length = 0;
    bool read = json_scan_string(&scan, out, &length);
    while (scan.at < scan.end && (*scan.at == ' ' || *scan.at == '\n')) {
        scan.at++;
    }
    read = read && scan.at == scan.end;
    if (read != (value != NULL)) {
        ck_abort_msg("%.*s", (int)size, text);
    }
    if (read) {
        expect(length == json_string_length(value));
        expect(memcmp(out, json_string_value(value), length) == 0);
    }
    free(out);
    json_decref(value);
}

START_TEST(strings_as_jansson_reads_them)
{
    static const char *const bits[] = {"a",
                                       "\\n",
                                       "\\\"",
                                       "\\\\",
                                       "\\/",
                                       "\\u0041",
                                       "\\u00e9",
                                       "\\uD83d",
                                       "\\uDE00",
                                       "\\u4f60",
                                       "\\u",
                                       "\\u12",
                                       "\\x",
                                       "\\",
                                       "\"",
                                       "\x1f",
                                       "\n",
                                       "é",
                                       "你",
                                       "\xf0\x9f\x98\x80",
                                       "\xc3",
                                       "\x80",
                                       "\xed\xa0\x80",
                                       "\\u0000",
                                       "\x7f",
                                       " ",
                                       "\\ud800\\u0041",
                                       "\\udbff\\udc00",
                                       "\\ud800\\udfff",
                                       "\\ud7ff",
                                       "\\ue000"};
    struct rng rng;
    rng_init(&rng, 8);
    for (int trial = 0; trial < 200000; trial++) {
        char text[128] = "\"";
        size_t size = 1;
        for (int i = rng_below(&rng, 6); i > 0; i--) {
            size += (size_t)snprintf(text + size, sizeof text - size, "%s",
                                     bits[rng_below(&rng, sizeof bits / sizeof bits[0])]);
        }
        if (rng_below(&rng, 20) > 0) {
            text[size++] = '"';
        }
        compare_string(text, size);
    }
    compare_string("", 0);
    compare_string("x", 1);
    compare_string("\"\0\"", 3);
}
END_TEST

START_TEST(nothing_is_read_behind_the_end)
{
    static const char text[] = "\"a\\u00e9\\ud83d\\ude00\u4f60\""; /* more follows each cut */
    char out[sizeof text];
    size_t length;
    for (size_t cut = 0; cut + 1 < sizeof text - 1; cut++) {
        struct json_scan scan = {text, text + cut};
        ck_assert_msg(!json_scan_string(&scan, out, &length), "%zu", cut);
        ck_assert(scan.at <= scan.end);
    }
    static const char seven[] = "  7";
    struct json_scan spaces = {seven, seven + 2};
    int64_t number;
    ck_assert(!json_scan_number(&spaces, &number));
    ck_assert(!json_scan_take(&spaces, '7'));
}
END_TEST

START_TEST(numbers)
{
    static const struct {
        const char *text;
        int64_t number; /* -1: refused */
    } cases[] = {{"0", 0},
                 {"7", 7},
                 {"151642", 151642},
                 {" 12", 12},
                 {"12,", 12},
                 {"12}", 12},
                 {"", -1},
                 {"-1", -1},
                 {"01", -1},
                 {"1.0", -1},
                 {"1e3", -1},
                 {"1E3", -1},
                 {"+1", -1},
                 {"x", -1},
                 {"999999999999999", 999999999999999},
                 {"9999999999999999", -1},
                 {"00", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct json_scan scan = {cases[i].text, cases[i].text + strlen(cases[i].text)};
        int64_t number;
        bool read = json_scan_number(&scan, &number);
        ck_assert_msg(read == (cases[i].number >= 0), "%s", cases[i].text);
        if (read) {
            ck_assert_int_eq(number, cases[i].number);
        }
    }
}
END_TEST

static void assert_member(const char *text, const char *name, const char *rest)
{
    struct json_scan scan = {text, text + strlen(text)};
    bool found = json_scan_member(&scan, name);
    ck_assert_msg(found == (rest != NULL), "%s in %s", name, text);
    if (found) {
        ck_assert_str_eq(scan.at, rest);
    }
}

START_TEST(members_are_found_at_their_own_level)
{
    assert_member("{\"a\":1,\"b\":2}", "b", "2}");
    assert_member(" { \"a\" : {\"b\":3} , \"b\" : [ ] } ", "b", "[ ] } ");
    assert_member("{\"a\":\"}\\\"b\\\":\",\"b\":4}", "b", "4}");
    assert_member("{\"a\":[1,{\"b\":5}],\"ab\":6,\"b\":7}", "b", "7}");
    assert_member("{\"a\":true,\"b\":null}", "b", "null}");
    assert_member("{\"a\":1}", "b", NULL);
    assert_member("{}", "b", NULL);
    assert_member("[1]", "b", NULL);
    assert_member("", "b", NULL);
    assert_member("{\"a", "b", NULL);
    assert_member("{\"a\":[1,\"b\":2}", "b", NULL);
    assert_member("{\"a\" 1,\"b\":2}", "b", NULL);
    assert_member("{\"a\":,\"b\":2}", "b", NULL);
    assert_member("{\"b\\", "b", NULL);
    assert_member("{x\":1,\"b\":2}", "b", NULL);
}
END_TEST

START_TEST(a_quote_after_a_backslash_ends_nothing)
{
    static const char open[] = "\"a\\\"", closed[] = "\"a\\\\\"";
    struct json_scan scan = {open, open + sizeof open - 1};
    ck_assert(!json_scan_skip(&scan));
    scan = (struct json_scan){closed, closed + sizeof closed - 1};
    ck_assert(json_scan_skip(&scan));
    ck_assert_ptr_eq(scan.at, scan.end);
}
END_TEST

START_TEST(depth_needs_no_stack)
{
    enum { N = 1000000 };
    char *text = test_alloc(N);
    memset(text, '[', N);
    struct json_scan scan = {text, text + N};
    ck_assert(!json_scan_skip(&scan));
    memset(text + N / 2, ']', N / 2);
    scan = (struct json_scan){text, text + N};
    ck_assert(json_scan_skip(&scan));
    ck_assert_ptr_eq(scan.at, scan.end);
    free(text);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("json_scan");
    add_test(suite, "strings", strings_as_jansson_reads_them);
    add_test(suite, "the end", nothing_is_read_behind_the_end);
    add_test(suite, "numbers", numbers);
    add_test(suite, "members", members_are_found_at_their_own_level);
    add_test(suite, "backslash", a_quote_after_a_backslash_ends_nothing);
    add_test(suite, "depth", depth_needs_no_stack);
    return suite;
}
