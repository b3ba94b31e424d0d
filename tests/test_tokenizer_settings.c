/* A tokenizer that would give other ids than this code does is refused, with the key, what it must be and what it is. */
#include "common/tokenizer_settings.h"

#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "tests/support/test.h"
#include "tests/support/tokens.h"

static struct error error;

static enum status check(const char *from, const char *to, const char **regex)
{
    char *text = small_tokenizer(from, to);
    json_t *root;
    ck_assert_msg(json_read_bytes(&root, text, strlen(text), "small", &error) == STATUS_OK, "%s",
                  error.message);
    struct added_tokens tokens = {0};
    const char *found = NULL;
    enum status status = tokenizer_settings_check(root, &found, &error);
    if (status == STATUS_OK) {
        status = tokenizer_settings_added_tokens(root, &tokens, &error);
    }
    if (regex != NULL) {
        ck_assert_int_eq(tokens.n, 3);
        ck_assert_int_eq(added_tokens_by_id(&tokens, 262)->special, 0);
        ck_assert_int_eq(added_tokens_by_id(&tokens, 261)->special, 1);
        *regex = found != NULL && strncmp(found, "(?i:'s|", 7) == 0 ? "Qwen2's" : found;
    }
    added_tokens_free(&tokens);
    json_decref(root);
    free(text);
    return status;
}

START_TEST(qwen2_s_settings_are_accepted_in_their_spellings)
{
    const char *regex;
    ck_assert_msg(check(NULL, NULL, &regex) == STATUS_OK, "%s", error.message);
    ck_assert_str_eq(regex, "Qwen2's");
    static const char *const same[][2] = {
        {"\"truncation\": null", "\"truncation\": {\"max_length\": 512}"},
        {"\"post_processor\": {\"type\": \"ByteLevel\"}", "\"post_processor\": null"},
        {"\"continuing_subword_prefix\": \"\"", "\"continuing_subword_prefix\": null"},
        {"\"dropout\": null", "\"dropout\": 0.0"},
        {"\"unk_token\": null", "\"unk_token\": \"<|endoftext|>\""},
        {", \"ignore_merges\": false", ""},
        {"\"decoder\": {", "\"decoder\": {\"add_prefix_space\": true, \"use_regex\": true, "},
        {"\"normalized\": false", "\"normalized\": true"},
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        ck_assert_msg(check(same[i][0], same[i][1], NULL) == STATUS_OK, "%s: %s", same[i][1], error.message);
    }
}
END_TEST

START_TEST(other_settings_are_refused)
{
    static const char *const other[][3] = {
        {"\"NFC\"", "\"NFKC\"", "normalizer.type: expected \"NFC\", as Qwen2's, found \"NFKC\""},
        {"{\"type\": \"NFC\"}", "null", "normalizer.type: expected \"NFC\", as Qwen2's, found nothing"},
        {"{\"type\": \"NFC\"}", "[]", "normalizer.type: expected \"NFC\", as Qwen2's, found nothing"},
        {"\"Sequence\"", "\"Whitespace\"",
         "pre_tokenizer.type: expected \"Sequence\", as Qwen2's, found \"Whitespace\""},
        {"[{\"type\": \"Split\"", "[{\"type\": \"Digits\"}, {\"type\": \"Split\"",
         "pre_tokenizer.pretokenizers: expected a Split and a ByteLevel, as Qwen2's, found 3 entries"},
        {"\"Split\"", "\"Punctuation\"",
         "pre_tokenizer.pretokenizers[0].type: expected \"Split\", as Qwen2's, found \"Punctuation\""},
        {"\"Isolated\"", "\"Removed\"",
         "pre_tokenizer.pretokenizers[0].behavior: expected \"Isolated\", as Qwen2's, found \"Removed\""},
        {"\"invert\": false", "\"invert\": true",
         "pre_tokenizer.pretokenizers[0].invert: expected false, as Qwen2's, found true"},
        {"{\"Regex\": ", "{\"String\": ",
         "pre_tokenizer.pretokenizers[0].pattern.Regex: expected a string, found nothing"},
        {"\"add_prefix_space\": false", "\"add_prefix_space\": true",
         "pre_tokenizer.pretokenizers[1].add_prefix_space: expected false, as Qwen2's, found true"},
        {"\"add_prefix_space\": false, ", "",
         "pre_tokenizer.pretokenizers[1].add_prefix_space: expected false, as Qwen2's, found nothing"},
        {"\"use_regex\": false", "\"use_regex\": 1",
         "pre_tokenizer.pretokenizers[1].use_regex: expected false, as Qwen2's, found 1"},
        {"\"post_processor\": {\"type\": \"ByteLevel\"}",
         "\"post_processor\": {\"type\": \"TemplateProcessing\"}",
         "post_processor.type: expected \"ByteLevel\", as Qwen2's, found \"TemplateProcessing\""},
        {"\"decoder\": {\"type\": \"ByteLevel\"}", "\"decoder\": {\"type\": \"Metaspace\"}",
         "decoder.type: expected \"ByteLevel\", as Qwen2's, found \"Metaspace\""},
        {"\"BPE\"", "\"Unigram\"", "model.type: expected \"BPE\", as Qwen2's, found \"Unigram\""},
        {"\"dropout\": null", "\"dropout\": 0.1",
         "model.dropout: expected 0, as ids must not depend on chance, found 0.1"},
        {"\"byte_fallback\": false", "\"byte_fallback\": true",
         "model.byte_fallback: expected false, as Qwen2's, found true"},
        {"\"ignore_merges\": false", "\"ignore_merges\": true",
         "model.ignore_merges: expected false, as Qwen2's, found true"},
        {"\"continuing_subword_prefix\": \"\"", "\"continuing_subword_prefix\": \"##\"",
         "model.continuing_subword_prefix: expected nothing, as in Qwen2's, found \"##\""},
        {"\"end_of_word_suffix\": \"\"", "\"end_of_word_suffix\": \"</w>\"",
         "model.end_of_word_suffix: expected nothing, as in Qwen2's, found \"</w>\""},
        {"\"lstrip\": false", "\"lstrip\": true",
         "added_tokens[0]: \"<|im_start|>\".lstrip: expected false, as Qwen2's, found true"},
        {"\"rstrip\": false", "\"rstrip\": true",
         "added_tokens[0]: \"<|im_start|>\".rstrip: expected false, as Qwen2's, found true"},
        {"\"single_word\": false", "\"single_word\": true",
         "added_tokens[0]: \"<|im_start|>\".single_word: expected false, as Qwen2's, found true"},
        {"\"normalized\": false, \"special\": true}, {\"id\": 261, \"content\": \"<|im_end|>\"",
         "\"special\": true}, {\"id\": 261, \"normalized\": true, \"content\": \"\\u0301\"",
         "added_tokens[1]: content: expected plain text, as it is looked for after normalization, found "
         "\"\u0301\""},
    };
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        ck_assert_int_eq(check(other[i][0], other[i][1], NULL), STATUS_UNSUPPORTED);
        ck_assert_str_eq(error.message, other[i][2]);
    }
}
END_TEST

START_TEST(broken_added_tokens_are_refused)
{
    static const char *const broken[][3] = {
        {"\"id\": 260, ", "",
         "added_tokens[0]: id: expected a whole number from 0 to 2097151, found nothing"},
        {"\"id\": 260, ", "\"id\": 260.0, ",
         "added_tokens[0]: id: expected a whole number from 0 to 2097151, found 260.0"},
        {"\"content\": \"<|im_end|>\"", "\"content\": 5",
         "added_tokens[1]: content: expected a string, found 5"},
        {"\"id\": 260, ", "\"id\": -1, ",
         "added_tokens[0]: id: expected a whole number from 0 to 2097151, found -1"},
        {"\"id\": 260, ", "\"id\": 2097152, ",
         "added_tokens[0]: id: expected a whole number from 0 to 2097151, found 2097152"},
        {"<|im_end|>", "<|im_start|>",
         "added_tokens[1]: content: expected each text once, found \"<|im_start|>\" again"},
        {"<|im_end|>", "", "added_tokens[1]: content: expected a text, found \"\""},
        {"\"special\": true", "\"special\": \"yes\"",
         "added_tokens[0]: special: expected true or false, found \"yes\""},
        {"\"added_tokens\": [", "\"added_tokens\": 5, \"other\": [",
         "added_tokens: expected a list, found 5"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        ck_assert_int_eq(check(broken[i][0], broken[i][1], NULL), STATUS_FORMAT);
        ck_assert_str_eq(error.message, broken[i][2]);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("tokenizer_settings");
    add_test(suite, "Qwen2's settings", qwen2_s_settings_are_accepted_in_their_spellings);
    add_test(suite, "other settings", other_settings_are_refused);
    add_test(suite, "broken added tokens", broken_added_tokens_are_refused);
    return suite;
}
