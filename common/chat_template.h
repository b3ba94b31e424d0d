/* chat_template.h: what a model says to itself before the first turn: its default system message.
 * Introduced in chapter 6.
 *
 * A model's chat_template is a program in the Jinja language. It is not run: all Qwen2 and Qwen2.5 templates write
 * ChatML (chat.h) and differ in the default system message only. That message is read out of the text of the program:
 * the literal that stands, inside one Jinja string, between "<|im_start|>system" with a newline (written \n or as a line
 * break) and "<|im_end|>". Where the message is put together from parts, as in the branch for tools, the string ends
 * before that, so such a place is passed over. */
#ifndef COMMON_CHAT_TEMPLATE_H
#define COMMON_CHAT_TEMPLATE_H

#include <stddef.h>

#include "common/status.h"

struct chat_template {
    char *default_system; /* owned, unescaped; NULL: no default system turn */
};

/* Reads <folder>/chat_template.jinja or else chat_template in <folder>/tokenizer_config.json: a string, or a list of
 * named ones, of which "default" counts. errors: STATUS_UNSUPPORTED when the folder has none, or one that is not
 * ChatML; STATUS_IO, STATUS_FORMAT. */
enum status chat_template_load(struct chat_template *chat, const char *folder, struct error *error);

/* The same for a template's text. */
enum status chat_template_parse(struct chat_template *chat, const char *text, size_t length,
                                struct error *error);

void chat_template_free(struct chat_template *chat); /* also of a zeroed struct */

#endif
