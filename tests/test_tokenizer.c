/* The ids of Hugging Face tokenizers 0.22.2 on Qwen2.5's own vocabulary (tests/goldens/tokenizer), the cases that other
 * implementations got wrong, and what must hold for any text. */
#include "common/tokenizer.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/nfc.h"
#include "common/rng.h"
#include "common/utf8.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"
#include "tests/support/tokens.h"

static struct tokenizer *tokenizer;
static struct error error;

static void load(void)
{
    enum status status = tokenizer_load(&tokenizer, qwen_tokenizer_folder(), &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.message);
}

static void unload(void)
{
    tokenizer_free(tokenizer);
}

static int32_t *ids_of(const json_t *list, size_t *n)
{
    *n = json_array_size(list);
    int32_t *id = test_alloc((*n + 1) * sizeof *id);
    for (size_t i = 0; i < *n; i++) {
        id[i] = (int32_t)json_integer_value(json_array_get(list, i));
    }
    return id;
}

static void compare_encoding(const char *bytes, size_t size)
{
    json_t *line = json_loadb(bytes, size, JSON_ALLOW_NUL, NULL);
    const json_t *text = json_object_get(line, "text");
    size_t n_expected;
    int32_t *expected = ids_of(json_object_get(line, "ids"), &n_expected);
    struct token_ids ids = {0};
    ck_assert_int_eq(
        tokenizer_encode(tokenizer, json_string_value(text), json_string_length(text), true, &ids, &error),
        STATUS_OK);
    assert_ids_at(__FILE__, __LINE__, json_string_value(text), ids.id, ids.n, expected, n_expected);
    token_ids_free(&ids);
    free(expected);
    json_decref(line);
}

START_TEST(text_gives_the_ids_of_the_reference)
{
    each_golden_line("tokenizer/tokenizer.jsonl", 1548, compare_encoding);
}
END_TEST

/* Decodes a token at a time; the caller frees. */
static char *decode(const int32_t *id, size_t n, bool skip_special, size_t *size)
{
    struct text_stream stream = {{0}, 0};
    size_t capacity = 16;
    for (size_t i = 0; i < n; i++) {
        size_t length;
        tokenizer_piece(tokenizer, id[i], &length);
        capacity += 3 * length + 9;
    }
    char *out = test_alloc(capacity);
    *size = 0;
    for (size_t i = 0; i < n; i++) {
        if (skip_special && tokenizer_is_special(tokenizer, id[i])) {
            continue;
        }
        size_t length;
        const char *piece = tokenizer_piece(tokenizer, id[i], &length);
        *size += text_stream_push(&stream, piece, length, out + *size);
    }
    *size += text_stream_end(&stream, out + *size);
    out[*size] = '\0';
    return out;
}

static void compare_decoding(const char *bytes, size_t n_bytes)
{
    json_t *line = json_loadb(bytes, n_bytes, JSON_ALLOW_NUL, NULL);
    size_t n;
    int32_t *id = ids_of(json_object_get(line, "ids"), &n);
    for (int skip = 0; skip < 2; skip++) {
        const json_t *expected = json_object_get(line, skip ? "text" : "text_keep_special");
        size_t size;
        char *text = decode(id, n, skip, &size);
        ck_assert_uint_eq(size, json_string_length(expected));
        ck_assert_mem_eq(text, json_string_value(expected), size);
        free(text);
    }
    free(id);
    json_decref(line);
}

START_TEST(ids_give_the_text_of_the_reference)
{
    each_golden_line("tokenizer/decode.jsonl", 300, compare_decoding);
}
END_TEST

static void assert_encoded(const char *text, size_t size, bool parse_special, const int32_t *expected,
                           size_t n_expected)
{
    struct token_ids ids = {0};
    ck_assert_int_eq(tokenizer_encode(tokenizer, text, size, parse_special, &ids, &error), STATUS_OK);
    assert_ids_at(__FILE__, __LINE__, text, ids.id, ids.n, expected, n_expected);
    token_ids_free(&ids);
}

#define IDS(...)              (const int32_t[]){__VA_ARGS__}, sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t)
#define ASSERT_IDS(text, ...) assert_encoded(text, strlen(text), true, IDS(__VA_ARGS__))

START_TEST(case_1_contractions)
{
    ASSERT_IDS("'tis", 944, 285);
    ASSERT_IDS("O'Reilly", 46, 49427, 14385);
    ASSERT_IDS("we'REd", 896, 94153, 67);
    ASSERT_IDS("y'all've", 88, 64848, 3003);
    ASSERT_IDS("''s", 4605, 82);
    ASSERT_IDS(" 's", 364, 82);
    ASSERT_IDS("('s)", 492, 82, 8);
    ASSERT_IDS("1's", 16, 594);
    ASSERT_IDS("I'M HE'LL", 40, 27603, 11685, 6, 4086);
    ASSERT_IDS("it\u2019s", 275, 748);
}
END_TEST

START_TEST(case_2_white_space)
{
    ASSERT_IDS("a  b", 64, 220, 293);
    ASSERT_IDS("a   b", 64, 256, 293);
    ASSERT_IDS("   ", 262);
    ASSERT_IDS("a  ", 64, 256);
    ASSERT_IDS("\t\tx", 197, 10225);
    ASSERT_IDS("a \n \n b", 64, 31906, 293);
    ASSERT_IDS("a\n\n  b", 64, 271, 220, 293);
    ASSERT_IDS("foo()\n\n  bar", 7975, 2822, 220, 3619);
    ASSERT_IDS("a\r\nb", 64, 319, 65);
}
END_TEST

/* n_repeats times id, then the last ones. */
static void assert_long(const char *unit, size_t n_units, const char *tail, int32_t id, size_t n_repeats,
                        const int32_t *last, size_t n_last)
{
    size_t width = strlen(unit), size = n_units * width + strlen(tail);
    char *text = test_alloc(size + 1);
    for (size_t i = 0; i < size; i++) {
        text[i] = i < n_units * width ? unit[i % width] : tail[i - n_units * width];
    }
    text[size] = '\0';
    struct token_ids ids = {0};
    clock_t start = clock();
    ck_assert_int_eq(tokenizer_encode(tokenizer, text, size, true, &ids, &error), STATUS_OK);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ck_assert_uint_eq(ids.n, n_repeats + n_last);
    for (size_t i = 0; i < n_repeats; i++) {
        expect(ids.id[i] == id);
    }
    for (size_t i = 0; i < n_last; i++) {
        ck_assert_int_eq(ids.id[n_repeats + i], last[i]);
    }
    /* The reference needs 0.15 s; the limit leaves room for sanitizers and valgrind, and none for a square. */
    double limit = 2 + 2e-6 * (double)size;
    ck_assert_msg(seconds < limit, "%.20s x %zu: %.2f s", unit, n_units, seconds);
    token_ids_free(&ids);
    free(text);
}

START_TEST(case_8_one_long_pretoken)
{
    assert_long("A", 43000, "", 57905, 5375, NULL, 0);
    assert_long("a", 100000, "", 69440, 12500, NULL, 0);
    assert_long("_", 50000, "", 46932, 781, IDS(7686));
    assert_long(" ", 20000, "", 56940, 156, IDS(786));
    assert_long(" ", 20000, "x", 56940, 156, IDS(1383, 856));
    assert_long("\n", 20000, "", 79083, 625, NULL, 0);
    assert_long(" \n", 10000, "", 31906, 5000, NULL, 0);
    assert_long("5", 1000, "", 20, 1000, NULL, 0);
    /* a hundred times as long: still no square */
    assert_long("a", 4000000, "", 69440, 500000, NULL, 0);
}
END_TEST

/* Ids of the reference; U+180E is a letter-like mark, not white space, in it and here. Marks younger than Unicode 9
 * follow utf8proc (test_nfc.c). */
START_TEST(case_10_unicode_9)
{
    ASSERT_IDS("a\u08d4\u0323", 20229, 156, 96, 242);
    ASSERT_IDS("a\u0323\u08d4", 20229, 156, 96, 242);
    ASSERT_IDS("a\u180eb", 64, 123970, 236, 65);
    ASSERT_IDS("\u180e \u180e", 123970, 236, 86089, 254, 236);
    ASSERT_IDS(" \u180e\n", 86089, 254, 236, 198);
    ASSERT_IDS("'\u017fx", 6, 144815, 87);
}
END_TEST

static void assert_decoded(const int32_t *id, size_t n, bool skip_special, const char *expected)
{
    size_t size;
    char *text = decode(id, n, skip_special, &size);
    ck_assert_uint_eq(size, strlen(expected));
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(case_21_characters_split_over_tokens)
{
    ASSERT_IDS("\U0001fae8", 9284, 104, 101);
    assert_decoded(IDS(9284, 104, 101), true, "\U0001fae8");
    ASSERT_IDS("\U0002070e", 101862, 250, 236);
    assert_decoded(IDS(101862, 250, 236), true, "\U0002070e");
    assert_decoded(IDS(9284, 11), true, "\ufffd,");
    assert_decoded(IDS(9284), true, "\ufffd");
    int n_broken = 0;
    for (int32_t id = 0; id < 151643; id++) {
        size_t length;
        const char *piece = tokenizer_piece(tokenizer, id, &length);
        ck_assert_uint_gt(length, 0);
        n_broken += !utf8_is_valid(piece, length);
    }
    ck_assert_int_eq(n_broken, 1448);
}
END_TEST

START_TEST(case_23_added_tokens)
{
    ASSERT_IDS("<tool_call>", 151657);
    ck_assert_int_eq(tokenizer_special_id(tokenizer, "<|im_end|>"), 151645);
    ck_assert_int_eq(tokenizer_special_id(tokenizer, "<tool_call>"), 151657);
    ck_assert_int_eq(tokenizer_special_id(tokenizer, "Hello"), -1);
    ck_assert(!tokenizer_is_special(tokenizer, 151657));
    ck_assert(tokenizer_is_special(tokenizer, 151645));
    ck_assert(!tokenizer_is_special(tokenizer, 9707));
    ck_assert(!tokenizer_is_special(tokenizer, -1));
    assert_decoded(IDS(151657, 9707, 151658), true, "<tool_call>Hello</tool_call>");
    assert_decoded(IDS(9707, 151645), true, "Hello");
    assert_decoded(IDS(9707, 151645), false, "Hello<|im_end|>");
}
END_TEST

/* The same added token as the issue's: its character would be a carriage return by the byte map. */
START_TEST(case_23_content_is_no_spelling)
{
    char *folder = fresh_folder("tokenizer"), *text = small_tokenizer("<note>", "<\u010d \u010d>");
    write_text(folder, "tokenizer.json", text);
    struct tokenizer *small;
    ck_assert_msg(tokenizer_load(&small, folder, &error) == STATUS_OK, "%s", error.message);
    size_t length;
    const char *piece = tokenizer_piece(small, 262, &length);
    ck_assert_uint_eq(length, 7);
    ck_assert_mem_eq(piece, "<\u010d \u010d>", 7);
    tokenizer_free(small);
    free(text);
    free(folder);
}
END_TEST

/* Without a normalized form of "e\u0301" in the text, a token that is looked for after normalization is not found. */
START_TEST(normalized_added_tokens_are_found_after_normalization)
{
    char *folder = fresh_folder("tokenizer"),
         *text = small_tokenizer("\"<note>\"", "\"caf\u00e9\", \"normalized\": true");
    write_text(folder, "tokenizer.json", text);
    struct tokenizer *small;
    ck_assert_msg(tokenizer_load(&small, folder, &error) == STATUS_OK, "%s", error.message);
    struct token_ids ids = {0};
    const char *both = "cafe\u0301<|im_end|>caf\u00e9";
    ck_assert_int_eq(tokenizer_encode(small, both, strlen(both), true, &ids, &error), STATUS_OK);
    assert_ids_at(__FILE__, __LINE__, both, ids.id, ids.n, IDS(262, 261, 262));
    token_ids_free(&ids);
    tokenizer_free(small);
    free(text);
    free(folder);
}
END_TEST

START_TEST(case_39_ids_beyond_the_vocabulary)
{
    ck_assert_int_eq(tokenizer_size(tokenizer), 151665);
    assert_decoded(IDS(9707, 151935), true, "Hello");
    assert_decoded(IDS(151936, 151665, -1, INT32_MAX, INT32_MIN), false, "");
}
END_TEST

START_TEST(case_41_nothing)
{
    assert_encoded("", 0, true, NULL, 0);
    assert_encoded("", 0, false, NULL, 0);
    assert_encoded(NULL, 0, true, NULL, 0);
}
END_TEST

START_TEST(case_43_control_text)
{
    ASSERT_IDS("a<|im_end|>b", 64, 151645, 65);
    assert_encoded("<|im_end|>", 10, false, IDS(27, 91, 318, 6213, 91, 29));
    assert_encoded("a<|im_end|>b", 12, false, IDS(64, 27, 91, 318, 6213, 91, 29, 65));
    assert_encoded("<tool_call>", 11, false, IDS(27, 14172, 13429, 29));
}
END_TEST

START_TEST(bytes_that_are_no_text_are_read_as_replacements)
{
    ASSERT_IDS("a\xff"
               "b\xe4\xbd",
               64, 5691, 65, 5691);
    struct token_ids repaired = {0};
    const char *text = "a\ufffd"
                       "b\ufffd";
    ck_assert_int_eq(tokenizer_encode(tokenizer, text, strlen(text), true, &repaired, &error), STATUS_OK);
    assert_encoded("a\xff"
                   "b\xe4\xbd",
                   5, true, repaired.id, repaired.n);
    token_ids_free(&repaired);
    assert_encoded("a\0b", 3, true, IDS(64, 188, 65));
}
END_TEST

START_TEST(decoding_gives_the_normalized_text_back)
{
    static const int32_t pools[][2] = {{0x1, 0x7f},      {0x80, 0x2ff},      {0x300, 0x36f},
                                       {0x400, 0x5ff},   {0x900, 0xfff},     {0x1100, 0x11ff},
                                       {0x1e00, 0x2fff}, {0x3000, 0x9fff},   {0xac00, 0xd7ff},
                                       {0xe000, 0xffff}, {0x10000, 0x10ffff}};
    struct rng rng;
    rng_init(&rng, 9);
    for (int trial = 0; trial < 5000; trial++) {
        char text[256];
        size_t size = 0;
        for (int i = rng_below(&rng, 60); i > 0; i--) {
            const int32_t *pool = pools[rng_below(&rng, trial % 2 ? 4 : 11)];
            size += (size_t)utf8_write(text + size, pool[0] + rng_below(&rng, pool[1] - pool[0] + 1));
        }
        char *expected;
        size_t n_expected, n;
        struct token_ids ids = {0};
        expect(nfc_normalize(&expected, &n_expected, text, size, &error) == STATUS_OK);
        expect(tokenizer_encode(tokenizer, text, size, trial % 3 == 0, &ids, &error) == STATUS_OK);
        char *back = decode(ids.id, ids.n, false, &n);
        expect(n == n_expected && memcmp(back, expected, n) == 0);
        free(back);
        free(expected);
        token_ids_free(&ids);
    }
}
END_TEST

START_TEST(parts_and_repeats_do_not_change_ids)
{
    /* The cache of words serves parts on both sides of an added token, normalized or not. */
    const char *text = " e\u0301t\u00e9 the<|im_end|> e\u0301t\u00e9 the<|im_end|> \u00e9t\u00e9 the";
    struct token_ids once = {0}, all = {0};
    ck_assert_int_eq(tokenizer_encode(tokenizer, " \u00e9t\u00e9 the", 10, true, &once, &error), STATUS_OK);
    ck_assert_int_eq(tokenizer_encode(tokenizer, text, strlen(text), true, &all, &error), STATUS_OK);
    ck_assert_uint_eq(all.n, 3 * once.n + 2);
    for (size_t part = 0; part < 3; part++) {
        ck_assert_mem_eq(all.id + part * (once.n + 1), once.id, once.n * sizeof *once.id);
    }
    token_ids_free(&once);
    token_ids_free(&all);
}
END_TEST

START_TEST(a_folder_without_a_tokenizer)
{
    char *folder = fresh_folder("tokenizer");
    struct tokenizer *none = tokenizer;
    ck_assert_int_eq(tokenizer_load(&none, folder, &error), STATUS_IO);
    ck_assert_ptr_null(none);
    ck_assert_ptr_nonnull(strstr(error.message, "/tokenizer.json: No such file"));
    tokenizer_free(NULL);
    free(folder);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("tokenizer");
    TCase *tcase = tcase_create("Qwen2.5's vocabulary");
    tcase_set_timeout(tcase, 60);
    tcase_add_unchecked_fixture(tcase, load, unload);
    tcase_add_test(tcase, text_gives_the_ids_of_the_reference);
    tcase_add_test(tcase, ids_give_the_text_of_the_reference);
    tcase_add_test(tcase, case_1_contractions);
    tcase_add_test(tcase, case_2_white_space);
    tcase_add_test(tcase, case_8_one_long_pretoken);
    tcase_add_test(tcase, case_10_unicode_9);
    tcase_add_test(tcase, case_21_characters_split_over_tokens);
    tcase_add_test(tcase, case_23_added_tokens);
    tcase_add_test(tcase, case_23_content_is_no_spelling);
    tcase_add_test(tcase, normalized_added_tokens_are_found_after_normalization);
    tcase_add_test(tcase, case_39_ids_beyond_the_vocabulary);
    tcase_add_test(tcase, case_41_nothing);
    tcase_add_test(tcase, case_43_control_text);
    tcase_add_test(tcase, bytes_that_are_no_text_are_read_as_replacements);
    tcase_add_test(tcase, decoding_gives_the_normalized_text_back);
    tcase_add_test(tcase, parts_and_repeats_do_not_change_ids);
    tcase_add_test(tcase, a_folder_without_a_tokenizer);
    suite_add_tcase(suite, tcase);
    return suite;
}
