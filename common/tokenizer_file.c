#include "common/tokenizer_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "common/json_scan.h"
#include "common/mapped_file.h"
#include "common/tokenizer_settings.h"
#include "common/tokenizer_tables.h"

/* Where a table lies in the text of the file; at == NULL when there is none. */
static struct json_scan find_table(const char *text, size_t size, const char *name)
{
    struct json_scan scan = {text, text + size};
    struct json_scan table = {NULL, NULL};
    if (json_scan_member(&scan, "model") && json_scan_member(&scan, name)) {
        table.at = scan.at;
        table.end = json_scan_skip(&scan) ? scan.at : NULL;
    }
    return table.end != NULL ? table : (struct json_scan){NULL, NULL};
}

/* Parses the settings: the whole text but for the tables, in whose place stands a 0. */
static enum status read_settings(json_t **root, const char *text, size_t size, struct json_scan first,
                                 struct json_scan second, const char *name, struct error *error)
{
    if (first.at == NULL || second.at == NULL) {
        return json_read_bytes(root, text, size, name, error);
    }
    if (second.at < first.at) {
        struct json_scan earlier = second;
        second = first;
        first = earlier;
    }
    char *settings = malloc(size + 1);
    if (settings == NULL) {
        return error_no_memory(error, name, size);
    }
    size_t n = 0;
    const char *from[3] = {text, first.end, second.end}, *to[3] = {first.at, second.at, text + size};
    for (int part = 0; part < 3; part++) {
        if (part > 0) {
            settings[n++] = '0'; /* a table takes two bytes at least */
        }
        memcpy(settings + n, from[part], (size_t)(to[part] - from[part]));
        n += (size_t)(to[part] - from[part]);
    }
    enum status status = json_read_bytes(root, settings, n, name, error);
    if (status == STATUS_FORMAT) {
        /* Once more, for the line and the column in the whole file. */
        status = json_read_bytes(root, text, size, name, error);
    }
    free(settings);
    return status;
}

/* An added token has an id of its own, or that of a vocabulary entry with the same text. */
static enum status place_added_token(struct vocabulary *vocabulary, const struct added_token *token,
                                     struct error *error)
{
    size_t length;
    const char *piece = vocabulary_piece(vocabulary, token->id, &length);
    int32_t elsewhere = vocabulary_find(vocabulary, token->content, token->length);
    if (elsewhere >= 0 && elsewhere != token->id) {
        return error_set(error, STATUS_FORMAT,
                         "added_tokens: \"%.60s\": id: expected %d, as in model.vocab, found %d",
                         token->content, (int)elsewhere, (int)token->id);
    }
    if (length == token->length && memcmp(piece, token->content, length) == 0) {
        return STATUS_OK;
    }
    enum status status = vocabulary_add(vocabulary, token->id, token->content, token->length, false, error);
    if (status != STATUS_OK) {
        char where[100];
        snprintf(where, sizeof where, "added_tokens: \"%.60s\": id", token->content);
        return error_in(error, where);
    }
    return STATUS_OK;
}

static enum status read_tables(struct tokenizer_parts *parts, struct json_scan vocabulary,
                               struct json_scan merges, struct error *error)
{
    if (vocabulary.at == NULL || merges.at == NULL) {
        return error_set(error, STATUS_FORMAT, "model.%s: expected %s, found nothing",
                         vocabulary.at == NULL ? "vocab" : "merges",
                         vocabulary.at == NULL ? "an object with tokens" : "a list with merges");
    }
    enum status status = tokenizer_tables_vocabulary(&parts->vocabulary, vocabulary, error);
    if (status == STATUS_OK) {
        status = vocabulary_index(&parts->vocabulary, error);
    }
    if (status == STATUS_OK) {
        status = tokenizer_tables_merges(&parts->bpe, &parts->vocabulary, merges, error);
    }
    for (int i = 0; i < parts->added.n && status == STATUS_OK; i++) {
        status = place_added_token(&parts->vocabulary, &parts->added.token[i], error);
    }
    return status;
}

enum status tokenizer_file_parse(struct tokenizer_parts *parts, const char *text, size_t size,
                                 const char *name, struct error *error)
{
    struct json_scan vocabulary = find_table(text, size, "vocab");
    struct json_scan merges = find_table(text, size, "merges");
    json_t *root = NULL;
    enum status status = read_settings(&root, text, size, vocabulary, merges, name, error);
    if (status != STATUS_OK) {
        return status;
    }
    const char *regex = NULL;
    status = tokenizer_settings_check(root, &regex, error);
    if (status == STATUS_OK) {
        status = splitter_init(&parts->splitter, regex, error);
        if (status == STATUS_UNSUPPORTED) {
            (void)error_in(error, "pre_tokenizer.pretokenizers[0].pattern.Regex");
        }
    }
    if (status == STATUS_OK) {
        status = tokenizer_settings_added_tokens(root, &parts->added, error);
    }
    json_decref(root);
    if (status == STATUS_OK) {
        status = read_tables(parts, vocabulary, merges, error);
    }
    return status == STATUS_OK ? STATUS_OK : error_in(error, name);
}

enum status tokenizer_file_read(struct tokenizer_parts *parts, const char *path, struct error *error)
{
    struct mapped_file file;
    enum status status = mapped_file_open(&file, path, error);
    if (status == STATUS_OK) {
        const char *text = file.size > 0 ? (const char *)file.data : "";
        status = tokenizer_file_parse(parts, text, file.size, path, error);
        mapped_file_close(&file);
    }
    return status;
}

void tokenizer_file_free(struct tokenizer_parts *parts)
{
    vocabulary_free(&parts->vocabulary);
    bpe_free(&parts->bpe);
    added_tokens_free(&parts->added);
    splitter_free(parts->splitter);
    parts->splitter = NULL;
}
