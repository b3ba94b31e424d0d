/* split_ascii.h: Qwen2's split written by hand for ASCII, where most text can be decided without the regex.
 * Introduced in chapter 6.
 *
 * A fast path only: the regex (splitter.h) is what the tokenizer file says, and a test holds this to it. */
#ifndef COMMON_SPLIT_ASCII_H
#define COMMON_SPLIT_ASCII_H

#include <stddef.h>

/* The length of the pre-token at the start of text, or 0 when a byte above 127 takes part in the decision.
 * requires size >= 1 */
size_t split_ascii(const char *text, size_t size);

#endif
