/* splitter.h: cuts text into pre-tokens, the units that byte pair encoding never crosses.
 * Introduced in chapter 6.
 *
 *     "I'M HE'LL  1 2"  ->  I|'M| HE|'LL| | |1| |2
 *
 * The regex is the one in tokenizer.json, and it must be Qwen2's. "White space" in it is Unicode's property; PCRE2's \s
 * also takes U+180E, which lost the property in Unicode 6.3, so the class is spelled out before compiling. What is a
 * letter or a number follows PCRE2's version of Unicode. */
#ifndef COMMON_SPLITTER_H
#define COMMON_SPLITTER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/status.h"

struct splitter; /* immutable: may be shared between threads */

/* errors: STATUS_UNSUPPORTED when regex is not Qwen2's. */
enum status splitter_init(struct splitter **splitter, const char *regex, struct error *error);
void splitter_free(struct splitter *splitter); /* NULL is allowed */

/* A walk over the pre-tokens of one text. */
struct pretokens {
    const struct splitter *splitter;
    const char *text; /* borrowed, valid UTF-8 */
    size_t size, at;
    bool regex_only; /* decide everything with the regex; for tests */
    void *match;
};

enum status pretokens_open(struct pretokens *walk, const struct splitter *splitter, const char *text,
                           size_t size, struct error *error);
void pretokens_close(struct pretokens *walk);

/* The next pre-token, borrowed from the text; *length 0 at the end. Every byte is in exactly one. */
enum status pretokens_next(struct pretokens *walk, const char **start, size_t *length, struct error *error);

#endif
