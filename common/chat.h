/* chat.h: a conversation in ChatML, the format that Qwen's chat models are trained on.
 * Introduced in chapter 6.
 *
 *     <|im_start|>system\n…<|im_end|>\n<|im_start|>user\n…<|im_end|>\n<|im_start|>assistant\n */
#ifndef COMMON_CHAT_H
#define COMMON_CHAT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/chat_template.h" /* the default system message */
#include "common/status.h"
#include "common/tokenizer.h"

enum chat_role { CHAT_SYSTEM, CHAT_USER, CHAT_ASSISTANT };

/* Appends the ids of one whole turn. literal: control tokens inside content stay text (what a user types); otherwise
 * they are parsed, as the reference does when it tokenizes a rendered conversation. */
enum status chat_append_turn(struct token_ids *ids, const struct tokenizer *tokenizer, enum chat_role role,
                             const char *content, size_t length, bool literal, struct error *error);
/* Appends "<|im_start|>assistant\n": the model speaks next. */
enum status chat_append_generation_prompt(struct token_ids *ids, const struct tokenizer *tokenizer,
                                          struct error *error);

#endif
