/* Expected values: what Jinja 3 gives for the same template. */
#include "common/jinja_string.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/test.h"

/* All strings of the template, each ended by |. */
static void assert_strings(const char *template, const char *expected)
{
    struct jinja_strings walk = {.at = template, .end = template + strlen(template)};
    struct jinja_string string;
    char out[256];
    size_t n = 0;
    while (jinja_strings_next(&walk, &string)) {
        while (string.at < string.end) {
            n += jinja_string_next(&string, out + n);
        }
        out[n++] = '|';
    }
    out[n] = '\0';
    ck_assert_str_eq(out, expected);
}

START_TEST(strings_stand_in_code_only)
{
    assert_strings("don't {{ 'a' }} it's {% if x == \"b'c\" %} 'd' {# 'e' {{ 'f' }} #} {{- 'g' -}}",
                   "a|b'c|g|");
    assert_strings("{{ {'k': {'l': 'm'}} }} 'n' {{ 'o' }}", "k|l|m|o|");
    assert_strings("{% if 1 %}'p'{% endif %}{{ 'q}}r' }}", "q}}r|");
    assert_strings("{{ 'never ends", "");
    assert_strings("{# never ends 'x'", "");
    assert_strings("{{ 'a\\", "");
    assert_strings("{", "");
    assert_strings("", "");
}
END_TEST

START_TEST(escapes_are_python_s)
{
    assert_strings("{{ 'a\\nb\\tc\\\\d\\'e\\\"f' }}", "a\nb\tc\\d'e\"f|");
    assert_strings("{{ 'a\nb' }}", "a\nb|");
    assert_strings("{{ 'a\\\nb' }}", "ab|");
    assert_strings("{{ '\\x41\\u4f60\\U0001F600' }}", "A\u4f60\U0001F600|");
    assert_strings("{{ '\\boxed \\q' }}", "\boxed \\q|");
    assert_strings("{{ '\\xg1 \\u12 \\ud800 \\U00110000' }}", "\\xg1 \\u12 \\ud800 \\U00110000|");
}
END_TEST

/* A string may lie anywhere: what follows its end is not part of an escape. */
START_TEST(escapes_end_with_the_string)
{
    static const char text[] = "\\x41\\u4f60";
    static const int whole[] = {4, 10}; /* where the escapes end */
    for (int end = 1; end <= 10; end++) {
        struct jinja_string string = {.at = text, .end = text + end};
        char out[32] = {0};
        size_t n = 0;
        while (string.at < string.end) {
            n += jinja_string_next(&string, out + n);
        }
        char expected[32] = {0};
        snprintf(expected, sizeof expected, "%s%.*s", end < whole[0] ? "" : "A",
                 end < whole[0] ? end : end - whole[0], end < whole[0] ? text : text + whole[0]);
        ck_assert_str_eq(out, end == whole[1] ? "A\u4f60" : expected);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("jinja_string");
    add_test(suite, "in code only", strings_stand_in_code_only);
    add_test(suite, "escapes", escapes_are_python_s);
    add_test(suite, "the end", escapes_end_with_the_string);
    return suite;
}
