#include "common/tokenizer_file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/files.h"
#include "tests/support/test.h"
#include "tests/support/tokens.h"

static struct error error;

static enum status parse(struct tokenizer_parts *parts, const char *from, const char *to)
{
    *parts = (struct tokenizer_parts){.splitter = NULL};
    char *text = small_tokenizer(from, to);
    enum status status = tokenizer_file_parse(parts, text, strlen(text), "t.json", &error);
    free(text);
    return status;
}

static void assert_refused(const char *from, const char *to, enum status expected, const char *message)
{
    struct tokenizer_parts parts;
    ck_assert_msg(parse(&parts, from, to) == expected, "%s: %s", to, error.message);
    ck_assert_str_eq(error.message, message);
    tokenizer_file_free(&parts);
}

START_TEST(settings_and_tables_come_together)
{
    struct tokenizer_parts parts;
    ck_assert_msg(parse(&parts, NULL, NULL) == STATUS_OK, "%s", error.message);
    ck_assert_int_eq(parts.vocabulary.size, 263);
    ck_assert_int_eq(parts.bpe.merges.n, 4);
    ck_assert_int_eq(parts.added.n, 3);
    size_t length;
    ck_assert_mem_eq(vocabulary_piece(&parts.vocabulary, 258, &length), " the", 4);
    ck_assert_mem_eq(vocabulary_piece(&parts.vocabulary, 262, &length), "<note>", 6);
    ck_assert_int_eq(vocabulary_find(&parts.vocabulary, "<note>", 6), -1); /* only ever by decree */
    tokenizer_file_free(&parts);
    tokenizer_file_free(&parts);
}
END_TEST

START_TEST(merges_may_stand_before_the_vocabulary)
{
    struct tokenizer_parts parts;
    ck_assert_int_eq(parse(&parts, "\"vocab\": {", "\"merges\": [\"h e\"], \"vocab\": {"),
                     STATUS_FORMAT); /* twice */
    ck_assert_ptr_nonnull(strstr(error.message, "duplicate object key near '\"merges\"'"));
    tokenizer_file_free(&parts);
    char *text = small_tokenizer("\"vocab\": {", "\"merges\": [\"h e\", \"l l\"], \"vocab\": {");
    char *later = strstr(text, ", \"merges\": [\"h e\", \"\u0120 t\"");
    ck_assert_ptr_nonnull(later);
    later[0] = later[1] = '}';
    later[2] = '\0';
    ck_assert_msg(tokenizer_file_parse(&parts, text, strlen(text), "t.json", &error) == STATUS_OK, "%s",
                  error.message);
    ck_assert_int_eq(parts.bpe.merges.n, 2);
    tokenizer_file_free(&parts);
    free(text);
}
END_TEST

START_TEST(an_added_token_may_be_in_the_vocabulary_too)
{
    struct tokenizer_parts parts;
    ck_assert_msg(parse(&parts, "\"ll\": 259", "\"ll\": 259, \"<note>\": 262") == STATUS_OK, "%s",
                  error.message);
    ck_assert_int_eq(vocabulary_find(&parts.vocabulary, "<note>", 6), 262);
    tokenizer_file_free(&parts);
    assert_refused("\"ll\": 259", "\"ll\": 259, \"<note>\": 300", STATUS_FORMAT,
                   "t.json: added_tokens: \"<note>\": id: expected 300, as in model.vocab, found 262");
    assert_refused("\"ll\": 259", "\"ll\": 259, \"other\": 262", STATUS_FORMAT,
                   "t.json: added_tokens: \"<note>\": id: expected each id once, found 262 again");
    assert_refused("\"id\": 261", "\"id\": 260", STATUS_FORMAT,
                   "t.json: added_tokens: \"<|im_end|>\": id: expected each id once, found 260 again");
}
END_TEST

START_TEST(what_is_no_tokenizer_is_refused)
{
    assert_refused("\"NFC\"", "\"NFD\"", STATUS_UNSUPPORTED,
                   "t.json: normalizer.type: expected \"NFC\", as Qwen2's, found \"NFD\"");
    assert_refused("\"vocab\"", "\"words\"", STATUS_FORMAT,
                   "t.json: model.vocab: expected an object with tokens, found nothing");
    assert_refused("\"merges\"", "\"joins\"", STATUS_FORMAT,
                   "t.json: model.merges: expected a list with merges, found nothing");
    assert_refused("[\"h e\", \"\u0120 t\", \"\u0120t he\", \"l l\"]", "[]", STATUS_FORMAT,
                   "t.json: model.merges: expected a list with merges, found []");
    assert_refused(
        "\"l l\"", "\"l x\"", STATUS_FORMAT,
        "t.json: model.merges[3]: expected tokens of the vocabulary, found a pair joined that is none");
    assert_refused(
        "\\\\p{N}|", "\\\\p{N}{1,3}|", STATUS_UNSUPPORTED,
        "t.json: pre_tokenizer.pretokenizers[0].pattern.Regex: expected Qwen2's split regex, found "
        "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|"
        "\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+");
    assert_refused("{\"version\"", "[\"version\"", STATUS_FORMAT,
                   "t.json: not valid JSON: line 1, column 11: ']' expected near ':'");
    struct tokenizer_parts parts = {.splitter = NULL};
    ck_assert_int_eq(parse(&parts, "\"ll\": 259}", "\"ll\": 259"), STATUS_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.message, "'}' expected near end of file"));
    tokenizer_file_free(&parts);
    static const char *const texts[] = {
        "", "{}", "[]", "null", "{\"model\": {}}", "{\"model\": {\"vocab\": {}, \"merges\": []}}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ck_assert_int_ne(tokenizer_file_parse(&parts, texts[i], strlen(texts[i]), "t.json", &error),
                         STATUS_OK);
        tokenizer_file_free(&parts);
    }
}
END_TEST

/* Every beginning of a good file, and every file with one byte changed, is read or refused: no crash, no leak. */
START_TEST(cut_and_changed_files_end_in_order)
{
    char *text = small_tokenizer(NULL, NULL);
    size_t size = strlen(text);
    for (size_t cut = 0; cut < size; cut++) {
        char *part = test_alloc(cut + 1); /* no byte more: the sanitizer sees a read behind it */
        memcpy(part, text, cut);
        struct tokenizer_parts parts = {.splitter = NULL};
        expect(tokenizer_file_parse(&parts, part, cut, "t.json", &error) != STATUS_OK);
        tokenizer_file_free(&parts);
        free(part);
    }
    for (size_t at = 0; at < size; at++) {
        static const char other[] = {'\0', '"', '{', ']', '7', '\\', '\xff'};
        char kept = text[at];
        text[at] = other[at % sizeof other];
        struct tokenizer_parts parts = {.splitter = NULL};
        (void)tokenizer_file_parse(&parts, text, size, "t.json", &error);
        tokenizer_file_free(&parts);
        text[at] = kept;
    }
    free(text);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_named)
{
    struct tokenizer_parts parts = {.splitter = NULL};
    char *folder = fresh_folder("tokenizer_file"), *path = test_path(folder, "tokenizer.json");
    ck_assert_int_eq(tokenizer_file_read(&parts, path, &error), STATUS_IO);
    ck_assert_ptr_nonnull(strstr(error.message, "tokenizer.json: No such file"));
    write_text(folder, "tokenizer.json", "");
    ck_assert_int_eq(tokenizer_file_read(&parts, path, &error), STATUS_FORMAT);
    ck_assert_int_eq(tokenizer_file_read(&parts, folder, &error), STATUS_IO);
    free(path);
    free(folder);
}
END_TEST

/* Case 25: the real file's merges, spelled the older way, give the same tables. */
START_TEST(the_real_merges_in_the_older_spelling)
{
    char *path = test_path(qwen_tokenizer_folder(), "tokenizer.json");
    struct tokenizer_parts newer = {.splitter = NULL}, older = {.splitter = NULL};
    ck_assert_msg(tokenizer_file_read(&newer, path, &error) == STATUS_OK, "%s", error.message);
    json_t *root = json_load_file(path, 0, NULL);
    ck_assert_ptr_nonnull(root);
    json_t *model = json_object_get(root, "model"), *pairs = json_object_get(model, "merges"),
           *texts = json_array();
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i);
        json_array_append_new(texts, json_sprintf("%s %s", json_string_value(json_array_get(pair, 0)),
                                                  json_string_value(json_array_get(pair, 1))));
    }
    json_object_set_new(model, "merges", texts);
    char *text = json_dumps(root, JSON_INDENT(2) | JSON_ENSURE_ASCII); /* other white space and escapes too */
    ck_assert_ptr_nonnull(text);
    json_decref(root);
    ck_assert_ptr_nonnull(strstr(text, "\"i n\""));
    ck_assert_msg(tokenizer_file_parse(&older, text, strlen(text), "older", &error) == STATUS_OK, "%s",
                  error.message);
    ck_assert_int_eq(newer.bpe.merges.n, 151387);
    ck_assert_int_eq(older.bpe.merges.n, newer.bpe.merges.n);
    ck_assert_uint_eq(older.bpe.merges.n_slots, newer.bpe.merges.n_slots);
    ck_assert_mem_eq(older.bpe.merges.slot, newer.bpe.merges.slot,
                     newer.bpe.merges.n_slots * sizeof(uint64_t));
    ck_assert_mem_eq(older.bpe.merges.id, newer.bpe.merges.id, (size_t)newer.bpe.merges.n * sizeof(int32_t));
    tokenizer_file_free(&newer);
    tokenizer_file_free(&older);
    free(text);
    free(path);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("tokenizer_file");
    add_test(suite, "settings and tables", settings_and_tables_come_together);
    add_test(suite, "merges first", merges_may_stand_before_the_vocabulary);
    add_test(suite, "added tokens", an_added_token_may_be_in_the_vocabulary_too);
    add_test(suite, "no tokenizer", what_is_no_tokenizer_is_refused);
    add_test(suite, "cut and changed", cut_and_changed_files_end_in_order);
    add_test(suite, "unreadable", a_file_that_cannot_be_read_is_named);
    add_test(suite, "older spelling", the_real_merges_in_the_older_spelling);
    return suite;
}
