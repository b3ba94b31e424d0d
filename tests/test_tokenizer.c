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

/* Each line of a golden is one JSON object; the callback compares it. */
static void each_line(const char *file, int n_expected, void (*compare)(const json_t *line))
{
    size_t size;
    char *text = read_text_file(golden_path(file), &size), *at = text;
    int number = 0;
    for (char *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        json_error_t problem;
        json_t *line = json_loadb(at, (size_t)(end - at), JSON_ALLOW_NUL, &problem);
        ck_assert_msg(line != NULL, "%s:%d: %s", file, number + 1, problem.text);
        compare(line);
        json_decref(line);
        char item[16];
        snprintf(item, sizeof item, "%d", ++number);
        golden_mark(file, item);
    }
    free(text);
    ck_assert_int_eq(number, n_expected);
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

static void compare_encoding(const json_t *line)
{
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
}

START_TEST(text_gives_the_ids_of_the_reference)
{
    each_line("tokenizer/tokenizer.jsonl", 1548, compare_encoding);
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

static void compare_decoding(const json_t *line)
{
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
}

START_TEST(ids_give_the_text_of_the_reference)
{
    each_line("tokenizer/decode.jsonl", 300, compare_decoding);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("tokenizer");
    TCase *tcase = tcase_create("goldens");
    tcase_set_timeout(tcase, 60);
    tcase_add_unchecked_fixture(tcase, load, unload);
    tcase_add_test(tcase, text_gives_the_ids_of_the_reference);
    tcase_add_test(tcase, ids_give_the_text_of_the_reference);
    suite_add_tcase(suite, tcase);
    return suite;
}
