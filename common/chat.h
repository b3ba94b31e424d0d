/* chat.h: a conversation in ChatML, the format that Qwen's chat models are trained on.
 * Introduced in chapter 6.
 *
 *     <|im_start|>system\n…<|im_end|>\n<|im_start|>user\n…<|im_end|>\n<|im_start|>assistant\n
 *
 * The model's chat_template is a Jinja program; it is not run. Its default system message is read out of it: the literal
 * inside one Jinja string between "<|im_start|>system", a newline written either way, and "<|im_end|>". */
#ifndef COMMON_CHAT_H
#define COMMON_CHAT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/status.h"
#include "common/tokenizer.h"

struct chat_template {
    char *default_system; /* owned, unescaped; NULL: no default system turn */
};

/* Reads chat_template.jinja or else tokenizer_config.json's chat_template (a string, or a list of named ones, of which
 * "default" counts). errors: STATUS_UNSUPPORTED when the folder has none, or one that is not ChatML. */
enum status chat_template_load(struct chat_template *chat, const char *folder, struct error *error);
/* The same for a template's text. */
enum status chat_template_parse(struct chat_template *chat, const char *text, size_t length, struct error *error);
void chat_template_free(struct chat_template *chat);

enum chat_role { CHAT_SYSTEM, CHAT_USER, CHAT_ASSISTANT };

/* Appends the ids of one whole turn. literal: control tokens inside content stay text (what a user types); otherwise
 * they are parsed, as the reference does when it tokenizes a rendered conversation. */
enum status chat_append_turn(struct token_ids *ids, const struct tokenizer *tokenizer, enum chat_role role,
                             const char *content, size_t length, bool literal, struct error *error);
/* Appends "<|im_start|>assistant\n": the model speaks next. */
enum status chat_append_generation_prompt(struct token_ids *ids, const struct tokenizer *tokenizer,
                                          struct error *error);

#endif
