#include "common/tokenizer_settings.h"

#include <stdio.h>
#include <string.h>

#include "common/json.h"
#include "common/nfc.h"
#include "common/vocabulary.h"

static enum status expect_text(const json_t *object, const char *where, const char *key, const char *text,
                               struct error *error)
{
    const json_t *value = json_member(object, key);
    if (json_text_is(value, text)) {
        return STATUS_OK;
    }
    char found[JSON_SHOWN];
    return error_set(error, STATUS_UNSUPPORTED, "%s.%s: expected \"%s\", as Qwen2's, found %s", where, key,
                     text, json_show(found, value));
}

/* A flag that must not be set; absent counts as absent_value. */
static enum status expect_false(const json_t *object, const char *where, const char *key, bool absent_value,
                                struct error *error)
{
    const json_t *value = json_member(object, key);
    if (value == NULL ? !absent_value : json_is_false(value)) {
        return STATUS_OK;
    }
    char found[JSON_SHOWN];
    return error_set(error, STATUS_UNSUPPORTED, "%s.%s: expected false, as Qwen2's, found %s", where, key,
                     json_show(found, value));
}

/* A text that must be empty or absent. */
static enum status expect_empty(const json_t *object, const char *where, const char *key, struct error *error)
{
    const json_t *value = json_member(object, key);
    if (value == NULL || (json_is_string(value) && json_string_length(value) == 0)) {
        return STATUS_OK;
    }
    char found[JSON_SHOWN];
    return error_set(error, STATUS_UNSUPPORTED, "%s.%s: expected nothing, as in Qwen2's, found %s", where,
                     key, json_show(found, value));
}

static enum status check_pre_tokenizer(const json_t *root, const char **regex, struct error *error)
{
    const char *where = "pre_tokenizer";
    const json_t *sequence = json_member(root, where);
    enum status status = expect_text(sequence, where, "type", "Sequence", error);
    if (status != STATUS_OK) {
        return status;
    }
    const json_t *steps = json_member(sequence, "pretokenizers");
    if (!json_is_array(steps) || json_array_size(steps) != 2) {
        return error_set(
            error, STATUS_UNSUPPORTED,
            "pre_tokenizer.pretokenizers: expected a Split and a ByteLevel, as Qwen2's, found %zu entries",
            json_array_size(steps));
    }
    const char *first = "pre_tokenizer.pretokenizers[0]", *second = "pre_tokenizer.pretokenizers[1]";
    const json_t *split = json_array_get(steps, 0), *byte_level = json_array_get(steps, 1);
    const json_t *pattern = json_member(json_member(split, "pattern"), "Regex");
    if ((status = expect_text(split, first, "type", "Split", error)) != STATUS_OK ||
        (status = expect_text(split, first, "behavior", "Isolated", error)) != STATUS_OK ||
        (status = expect_false(split, first, "invert", false, error)) != STATUS_OK ||
        (status = expect_text(byte_level, second, "type", "ByteLevel", error)) != STATUS_OK ||
        (status = expect_false(byte_level, second, "add_prefix_space", true, error)) != STATUS_OK ||
        (status = expect_false(byte_level, second, "use_regex", true, error)) != STATUS_OK) {
        return status;
    }
    if (json_text(pattern) == NULL) {
        char found[JSON_SHOWN];
        return error_set(error, STATUS_UNSUPPORTED, "%s.pattern.Regex: expected a string, found %s", first,
                         json_show(found, pattern));
    }
    *regex = json_text(pattern);
    return STATUS_OK;
}

static enum status check_model(const json_t *root, struct error *error)
{
    const char *where = "model";
    const json_t *model = json_member(root, where);
    enum status status = expect_text(model, where, "type", "BPE", error);
    const json_t *dropout = json_member(model, "dropout");
    if (status == STATUS_OK && dropout != NULL &&
        !(json_is_number(dropout) && json_number_value(dropout) == 0)) {
        char found[JSON_SHOWN];
        status = error_set(error, STATUS_UNSUPPORTED,
                           "model.dropout: expected 0, as ids must not depend on chance, found %s",
                           json_show(found, dropout));
    }
    if (status != STATUS_OK ||
        (status = expect_false(model, where, "byte_fallback", false, error)) != STATUS_OK ||
        (status = expect_false(model, where, "ignore_merges", false, error)) != STATUS_OK ||
        (status = expect_empty(model, where, "continuing_subword_prefix", error)) != STATUS_OK) {
        return status;
    }
    return expect_empty(model, where, "end_of_word_suffix", error);
}

enum status tokenizer_settings_check(const json_t *root, const char **regex, struct error *error)
{
    enum status status = expect_text(json_member(root, "normalizer"), "normalizer", "type", "NFC", error);
    if (status == STATUS_OK) {
        status = check_pre_tokenizer(root, regex, error);
    }
    /* A post-processor may add tokens around a text; ByteLevel only moves offsets. */
    const json_t *post = json_member(root, "post_processor");
    if (status == STATUS_OK && post != NULL) {
        status = expect_text(post, "post_processor", "type", "ByteLevel", error);
    }
    if (status == STATUS_OK) {
        status = expect_text(json_member(root, "decoder"), "decoder", "type", "ByteLevel", error);
    }
    return status == STATUS_OK ? check_model(root, error) : status;
}

static enum status read_flag(const json_t *entry, const char *key, bool *flag, struct error *error)
{
    char found[JSON_SHOWN];
    const json_t *value = json_member(entry, key);
    if (value != NULL && !json_is_boolean(value)) {
        return error_set(error, STATUS_FORMAT, "%s: expected true or false, found %s", key,
                         json_show(found, value));
    }
    *flag = json_is_true(value);
    return STATUS_OK;
}

static enum status read_added_token(const json_t *entry, struct added_tokens *tokens, struct error *error)
{
    const json_t *content = json_member(entry, "content"), *id = json_member(entry, "id");
    char found[JSON_SHOWN];
    if (!json_is_string(content)) {
        return error_set(error, STATUS_FORMAT, "content: expected a string, found %s",
                         json_show(found, content));
    }
    if (!json_is_integer(id) || json_integer_value(id) < 0 || json_integer_value(id) >= VOCABULARY_MAX_SIZE) {
        return error_set(error, STATUS_FORMAT, "id: expected a whole number from 0 to %d, found %s",
                         VOCABULARY_MAX_SIZE - 1, json_show(found, id));
    }
    static const char *const refused[] = {"lstrip", "rstrip", "single_word"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char where[64];
        snprintf(where, sizeof where, "\"%.40s\"", json_string_value(content));
        enum status status = expect_false(entry, where, refused[i], false, error);
        if (status != STATUS_OK) {
            return status;
        }
    }
    struct added_token token = {.id = (int32_t)json_integer_value(id)};
    enum status status = read_flag(entry, "special", &token.special, error);
    if (status == STATUS_OK) {
        status = read_flag(entry, "normalized", &token.normalized, error);
    }
    if (status == STATUS_OK && token.normalized &&
        !nfc_is_trivial(json_string_value(content), json_string_length(content))) {
        return error_set(
            error, STATUS_UNSUPPORTED,
            "content: expected plain text, as it is looked for after normalization, found \"%.60s\"",
            json_string_value(content));
    }
    if (status != STATUS_OK) {
        return status;
    }
    return added_tokens_add(tokens, json_string_value(content), json_string_length(content), token, error);
}

enum status tokenizer_settings_added_tokens(const json_t *root, struct added_tokens *tokens,
                                            struct error *error)
{
    char found[JSON_SHOWN];
    const json_t *list = json_member(root, "added_tokens");
    if (list != NULL && !json_is_array(list)) {
        return error_set(error, STATUS_FORMAT, "added_tokens: expected a list, found %s",
                         json_show(found, list));
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        enum status status = read_added_token(json_array_get(list, i), tokens, error);
        if (status != STATUS_OK) {
            char where[40];
            snprintf(where, sizeof where, "added_tokens[%zu]", i);
            return error_in(error, where);
        }
    }
    return STATUS_OK;
}
