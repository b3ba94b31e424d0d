/* tokenizer_settings.h: is this tokenizer.json a description of what this code does?
 * Introduced in chapter 6.
 *
 * A tokenizer.json can ask for a hundred other things: another normalizer, another split, spaces put in front. Each
 * setting that would change an id is compared with Qwen2's and refused when it differs; "truncation" and "padding" are
 * not read, as they are a matter of whoever calls. */
#ifndef COMMON_TOKENIZER_SETTINGS_H
#define COMMON_TOKENIZER_SETTINGS_H

#include <jansson.h>

#include "common/added_tokens.h"
#include "common/status.h"

/* Checks normalizer, pre_tokenizer, post_processor, decoder and the model's flags; *regex (borrowed from root) is the
 * split's pattern. errors: STATUS_UNSUPPORTED, with the key, what it must be and what it is. */
enum status tokenizer_settings_check(const json_t *root, const char **regex, struct error *error);

/* Reads added_tokens. errors: STATUS_FORMAT, STATUS_UNSUPPORTED for lstrip, rstrip and single_word. */
enum status tokenizer_settings_added_tokens(const json_t *root, struct added_tokens *tokens,
                                            struct error *error);

#endif
