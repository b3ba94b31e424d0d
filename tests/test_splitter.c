/* Expected values: what Hugging Face's pre-tokenizer gives (cases 1 and 2), and the regex for the path written by hand. */
#include "common/splitter.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "common/utf8.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"
#include "tests/support/tokens.h"

static const char regex[] = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| "
                            "?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
static struct splitter *splitter;
static struct error error;

static void make(void)
{
    ck_assert_msg(splitter_init(&splitter, regex, &error) == STATUS_OK, "%s", error.message);
}

static void discard(void)
{
    splitter_free(splitter);
}

/* The pre-tokens with | between them. */
static void split(char *out, const char *text, size_t size, bool regex_only)
{
    struct pretokens walk;
    expect(pretokens_open(&walk, splitter, text, size, &error) == STATUS_OK);
    walk.regex_only = regex_only;
    size_t length = 1, n = 0;
    while (length > 0) {
        const char *start;
        expect(pretokens_next(&walk, &start, &length, &error) == STATUS_OK);
        if (n > 0 && length > 0) {
            out[n++] = '|';
        }
        memcpy(out + n, start, length);
        n += length;
    }
    out[n] = '\0';
    pretokens_close(&walk);
}

START_TEST(contractions_and_white_space)
{
    static const char *const expected[] = {
        "'t|is", "O|'Re|illy", "we|'RE|d", "y|'all|'ve", "''|s", " '|s", "('|s|)", "1|'s", "I|'M| HE|'LL",
        "it|\u2019s", "'\u017f|x", /* the long s is an s when case is ignored */
        "a| | b", "a|  | b", "   ", "a|  ", "\t|\tx", "a| \n \n| b", "a|\n\n| | b", "foo|()\n\n| | bar",
        "a|\r\n|b", "a| | |1| |2", "\n|x", " \n", "x|\t\n|\t|\ty", "\u3000\u3000|\u3000x", "...\n\n|a",
        " ...|x", "\t|...",
        /* U+180E is no white space since Unicode 6.3, U+0085 and U+00A0 are */
        "a|\u180eb", "\u180e| \u180e", "a| | \u180e", " \u180e\n", "a|\xc2\x85\u00a0|\xc2\x85y",
        "1| |\u0661|\u00b2|\u2167", "\x1cy|\x1c\x1c"};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        char text[64], got[128];
        size_t size = 0;
        for (const char *at = expected[i]; *at != '\0'; at++) {
            if (*at != '|') {
                text[size++] = *at;
            }
        }
        for (int regex_only = 0; regex_only < 2; regex_only++) {
            split(got, text, size, regex_only);
            ck_assert_str_eq(got, expected[i]);
        }
    }
}
END_TEST

static void assert_both_ways(const char *text, size_t size)
{
    char *by_hand = malloc(2 * size + 1), *by_regex = malloc(2 * size + 1);
    expect(by_hand != NULL && by_regex != NULL);
    split(by_hand, text, size, false);
    split(by_regex, text, size, true);
    if (strcmp(by_hand, by_regex) != 0) {
        ck_abort_msg("by hand \"%s\", by the regex \"%s\"", by_hand, by_regex);
    }
    free(by_hand);
    free(by_regex);
}

START_TEST(the_path_by_hand_is_the_regex_on_the_goldens)
{
    size_t size;
    char *text = read_bytes(golden_path("tokenizer/tokenizer.jsonl"), &size), *at = text;
    for (char *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        json_t *line = json_loadb(at, (size_t)(end - at), JSON_ALLOW_NUL, NULL);
        const json_t *value = json_object_get(line, "text");
        assert_both_ways(json_string_value(value), json_string_length(value));
        json_decref(line);
    }
    free(text);
}
END_TEST

START_TEST(the_path_by_hand_is_the_regex_on_random_text)
{
    struct rng rng;
    rng_init(&rng, 7);
    for (int trial = 0; trial < 50000; trial++) {
        char text[64];
        size_t n = 0;
        for (int i = rng_below(&rng, 12); i > 0; i--) {
            static const char *const bits[] = {
                "'",  "s",      "T",      "re",     "VE",     "m",      "lL", "d",    "x",  "0",
                " ",  "  ",     "\t",     "\n",     "\r",     ".",      "_",  "\x1c", "\v", "é",
                "字", "\u3000", "\u017f", "\u180e", "\u0661", "\u00a0", "!",  "\x7f"};
            const char *bit = bits[rng_below(&rng, sizeof bits / sizeof bits[0])];
            n += (size_t)snprintf(text + n, sizeof text - n, "%s", bit);
        }
        assert_both_ways(text, n);
        for (int i = 0; i < 8; i++) { /* any ASCII, control characters too */
            text[i] = (char)(1 + rng_below(&rng, 127));
        }
        assert_both_ways(text, 8);
    }
}
END_TEST

/* The regex steps back over a run as long as the text: that must need neither stack nor a square of steps. */
START_TEST(long_runs_are_one_or_two_pretokens)
{
    enum { N = 7000000 };
    static const char wide_space[3] = {'\xe3', '\x80', '\x80'}; /* U+3000 */
    char *text = test_alloc(3 * N + 1);
    for (int i = 0; i < N; i++) {
        memcpy(text + 3 * (size_t)i, wide_space, 3);
    }
    text[3 * N] = 'x';
    for (int tail = 0; tail < 2; tail++) {
        struct pretokens walk;
        ck_assert_int_eq(pretokens_open(&walk, splitter, text, 3 * N + (size_t)tail, &error), STATUS_OK);
        const char *start;
        size_t length;
        ck_assert_msg(pretokens_next(&walk, &start, &length, &error) == STATUS_OK, "%s", error.message);
        ck_assert_uint_eq(length, tail ? 3 * (N - 1) : 3 * N); /* the last one belongs to the x */
        pretokens_close(&walk);
    }
    free(text);
}
END_TEST

START_TEST(another_regex_is_refused)
{
    struct splitter *other = NULL;
    /* GPT-4's, which takes up to three digits */
    ck_assert_int_eq(splitter_init(&other,
                                   "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}",
                                   &error),
                     STATUS_UNSUPPORTED);
    ck_assert_ptr_null(other);
    ck_assert_int_eq(strncmp(error.message, "expected Qwen2's split regex, found (?i:'s|", 43), 0);
    ck_assert_int_eq(splitter_init(&other, "", &error), STATUS_UNSUPPORTED);
    splitter_free(NULL);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("splitter");
    TCase *tcase = tcase_create("Qwen2's split");
    tcase_set_timeout(tcase, 60);
    tcase_add_unchecked_fixture(tcase, make, discard);
    tcase_add_test(tcase, contractions_and_white_space);
    tcase_add_test(tcase, the_path_by_hand_is_the_regex_on_the_goldens);
    tcase_add_test(tcase, the_path_by_hand_is_the_regex_on_random_text);
    tcase_add_test(tcase, long_runs_are_one_or_two_pretokens);
    tcase_add_test(tcase, another_regex_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
