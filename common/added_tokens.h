/* added_tokens.h: finds the texts that stand for one token by decree, such as <|im_start|>.
 * Introduced in chapter 6. */
#ifndef COMMON_ADDED_TOKENS_H
#define COMMON_ADDED_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

struct added_token {
    char *content; /* owned */
    size_t length;
    int32_t id;
    bool special;    /* left out when text is shown */
    bool normalized; /* looked for after normalization; otherwise before */
};

/* Zero it first. */
struct added_tokens {
    struct added_token *token; /* [n], longest first */
    int n;
    bool begins[2][256]; /* [normalized][byte]: some token begins with it */
};

void added_tokens_free(struct added_tokens *tokens);

/* Copies content; id and flags are those of token. errors: STATUS_FORMAT when content is empty or there already. */
enum status added_tokens_add(struct added_tokens *tokens, const char *content, size_t length,
                             struct added_token token, struct error *error);

/* The first place where the text of a token (of those that are normalized, or that are not) begins, the longest of
 * those that begin there. Returns NULL and *at = size when there is none. */
const struct added_token *added_tokens_search(const struct added_tokens *tokens, bool normalized,
                                              const char *text, size_t size, size_t *at);

/* NULL when no added token has this id, or this content. */
const struct added_token *added_tokens_by_id(const struct added_tokens *tokens, int32_t id);
const struct added_token *added_tokens_by_content(const struct added_tokens *tokens, const char *content,
                                                  size_t length);

#endif
