#include "common/tokenizer.h"

#include <stdlib.h>
#include <string.h>

#include "common/mapped_file.h"
#include "common/nfc.h"
#include "common/pretoken_cache.h"
#include "common/tokenizer_file.h"
#include "common/utf8.h"

struct tokenizer {
    struct tokenizer_parts parts;
};

enum status tokenizer_load(struct tokenizer **tokenizer, const char *folder, struct error *error)
{
    char *path = NULL;
    struct tokenizer *made = calloc(1, sizeof *made);
    enum status status = made != NULL ? path_in_folder(&path, folder, "tokenizer.json", error)
                                      : error_no_memory(error, "tokenizer", sizeof *made);
    if (status == STATUS_OK) {
        status = tokenizer_file_read(&made->parts, path, error);
    }
    free(path);
    if (status != STATUS_OK) {
        tokenizer_free(made);
        made = NULL;
    }
    *tokenizer = made;
    return status;
}

void tokenizer_free(struct tokenizer *tokenizer)
{
    if (tokenizer != NULL) {
        tokenizer_file_free(&tokenizer->parts);
        free(tokenizer);
    }
}

int tokenizer_size(const struct tokenizer *tokenizer)
{
    return tokenizer->parts.vocabulary.size;
}

int32_t tokenizer_special_id(const struct tokenizer *tokenizer, const char *content)
{
    const struct added_token *token =
        added_tokens_by_content(&tokenizer->parts.added, content, strlen(content));
    return token != NULL ? token->id : -1;
}

const char *tokenizer_piece(const struct tokenizer *tokenizer, int32_t id, size_t *length)
{
    return vocabulary_piece(&tokenizer->parts.vocabulary, id, length);
}

bool tokenizer_is_special(const struct tokenizer *tokenizer, int32_t id)
{
    const struct added_token *token = added_tokens_by_id(&tokenizer->parts.added, id);
    return token != NULL && token->special;
}

/* ---- Encoding: each function below does one step of the picture in tokenizer.h and hands its parts to the one above */

/* A normalized part of the text: kept until all is encoded, as the cache points into it. */
struct normalized_text {
    char *text;
    struct normalized_text *earlier;
};

struct encoding {
    const struct tokenizer_parts *parts;
    bool parse_special;
    struct pretoken_cache cache;
    struct normalized_text *normalized;
    struct bpe_workspace workspace;
    struct token_ids *ids;
    struct error *error;
};

static enum status encode_pretoken(struct encoding *encoding, const char *start, size_t length)
{
    bool found;
    struct pretoken_cache_slot *slot;
    enum status status = pretoken_cache_look_up(&encoding->cache, start, length, encoding->ids, &found, &slot,
                                                encoding->error);
    if (status != STATUS_OK || found) {
        return status;
    }
    size_t before = encoding->ids->n;
    status = bpe_encode(&encoding->parts->bpe, start, length, &encoding->workspace, encoding->ids,
                        encoding->error);
    if (slot != NULL) {
        slot->n_ids = (uint32_t)(encoding->ids->n - before);
    }
    return status;
}

static enum status encode_plain(struct encoding *encoding, const char *text, size_t size)
{
    struct pretokens walk = {0};
    enum status status = pretokens_open(&walk, encoding->parts->splitter, text, size, encoding->error);
    size_t length = 1;
    while (status == STATUS_OK && length > 0) {
        const char *start;
        status = pretokens_next(&walk, &start, &length, encoding->error);
        if (status == STATUS_OK && length > 0) {
            status = encode_pretoken(encoding, start, length);
        }
    }
    pretokens_close(&walk);
    return status;
}

static enum status encode_parts(struct encoding *encoding, const char *text, size_t size, bool normalized);

static enum status encode_unnormalized(struct encoding *encoding, const char *text, size_t size)
{
    if (nfc_is_trivial(text, size)) {
        return encode_parts(encoding, text, size, true);
    }
    struct normalized_text *kept = malloc(sizeof *kept);
    if (kept == NULL) {
        return error_no_memory(encoding->error, "normalization", sizeof *kept);
    }
    enum status status = nfc_normalize(&kept->text, &size, text, size, encoding->error);
    if (status != STATUS_OK) {
        free(kept);
        return status;
    }
    kept->earlier = encoding->normalized;
    encoding->normalized = kept;
    return encode_parts(encoding, kept->text, size, true);
}

static void free_encoding(struct encoding *encoding)
{
    while (encoding->normalized != NULL) {
        struct normalized_text *last = encoding->normalized;
        encoding->normalized = last->earlier;
        free(last->text);
        free(last);
    }
    pretoken_cache_free(&encoding->cache);
    bpe_workspace_free(&encoding->workspace);
}

/* Cuts the added tokens out, first those that are looked for as they are, then in each part, normalized, the others. */
static enum status encode_parts(struct encoding *encoding, const char *text, size_t size, bool normalized)
{
    enum status status = STATUS_OK;
    while (size > 0 && status == STATUS_OK) {
        size_t at = size;
        const struct added_token *token = NULL;
        if (encoding->parse_special) {
            token = added_tokens_search(&encoding->parts->added, normalized, text, size, &at);
        }
        if (at > 0) {
            status = normalized ? encode_plain(encoding, text, at) : encode_unnormalized(encoding, text, at);
        }
        if (token != NULL && status == STATUS_OK) {
            status = token_ids_append(encoding->ids, token->id, encoding->error);
            at += token->length;
        }
        text += at;
        size -= at;
    }
    return status;
}

enum status tokenizer_encode(const struct tokenizer *tokenizer, const char *text, size_t length,
                             bool parse_special, struct token_ids *ids, struct error *error)
{
    struct encoding encoding = {
        .parts = &tokenizer->parts, .parse_special = parse_special, .ids = ids, .error = error};
    enum status status = STATUS_OK;
    char *repaired = NULL;
    if (!utf8_is_valid(text, length)) {
        status = utf8_repair(&repaired, &length, text, length, error);
        text = repaired;
    }
    if (status == STATUS_OK) {
        status = pretoken_cache_init(&encoding.cache, length, error);
    }
    if (status == STATUS_OK) {
        status = encode_parts(&encoding, text, length, false);
    }
    free_encoding(&encoding);
    free(repaired);
    return status;
}
