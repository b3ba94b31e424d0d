#include "common/added_tokens.h"

#include <stdlib.h>
#include <string.h>

void added_tokens_free(struct added_tokens *tokens)
{
    for (int i = 0; i < tokens->n; i++) {
        free(tokens->token[i].content);
    }
    free(tokens->token);
    *tokens = (struct added_tokens){0};
}

enum status added_tokens_add(struct added_tokens *tokens, const char *content, size_t length,
                             struct added_token token, struct error *error)
{
    if (length == 0) {
        return error_set(error, STATUS_FORMAT, "content: expected a text, found \"\"");
    }
    if (added_tokens_by_content(tokens, content, length) != NULL) {
        return error_set(error, STATUS_FORMAT, "content: expected each text once, found \"%.60s\" again",
                         content);
    }
    size_t bytes = checked_product((size_t)tokens->n + 1, sizeof *tokens->token);
    struct added_token *grown = realloc(tokens->token, bytes);
    if (grown == NULL) {
        return error_no_memory(error, "added tokens", bytes);
    }
    tokens->token = grown;
    token.length = length;
    token.content = malloc(length + 1);
    if (token.content == NULL) {
        return error_no_memory(error, "added tokens", length + 1);
    }
    memcpy(token.content, content, length);
    token.content[length] = '\0';
    /* Longest first: the first that matches at a place is the right one. */
    int place = tokens->n++;
    while (place > 0 && grown[place - 1].length < length) {
        grown[place] = grown[place - 1];
        place--;
    }
    grown[place] = token;
    tokens->begins[token.normalized][(unsigned char)content[0]] = true;
    return STATUS_OK;
}

const struct added_token *added_tokens_search(const struct added_tokens *tokens, bool normalized,
                                              const char *text, size_t size, size_t *at)
{
    const bool *begins = tokens->begins[normalized];
    for (size_t i = 0; i < size; i++) {
        if (!begins[(unsigned char)text[i]]) {
            continue;
        }
        for (int k = 0; k < tokens->n; k++) {
            const struct added_token *token = &tokens->token[k];
            if (token->normalized == normalized && token->length <= size - i &&
                memcmp(token->content, text + i, token->length) == 0) {
                *at = i;
                return token;
            }
        }
    }
    *at = size;
    return NULL;
}

const struct added_token *added_tokens_by_id(const struct added_tokens *tokens, int32_t id)
{
    for (int i = 0; i < tokens->n; i++) {
        if (tokens->token[i].id == id) {
            return &tokens->token[i];
        }
    }
    return NULL;
}

const struct added_token *added_tokens_by_content(const struct added_tokens *tokens, const char *content,
                                                  size_t length)
{
    for (int i = 0; i < tokens->n; i++) {
        if (tokens->token[i].length == length && memcmp(tokens->token[i].content, content, length) == 0) {
            return &tokens->token[i];
        }
    }
    return NULL;
}
