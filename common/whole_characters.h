/* whole_characters.h: characters of several bytes that byte pair encoding may take as one token from the start.
 * Introduced in chapter 6.
 *
 * A Chinese character is three bytes, so encoding begins with two merges a character that nearly always come out the
 * same. They always do when at every step of joining the character's bytes no merge that reaches across its border could
 * come first:
 *
 *     rank(this step) < rank of every merge (x, first part)   where x ends in the last byte of a character
 *     rank(this step) < rank of every merge (last part, y)    where y begins with the first byte of a character
 *
 * Both sides then stand beside characters of several bytes, or at the end of the pre-token. In Qwen2.5's vocabulary this
 * holds for nearly all frequent Chinese characters. The ids are the same with and without; a test holds that. */
#ifndef COMMON_WHOLE_CHARACTERS_H
#define COMMON_WHOLE_CHARACTERS_H

#include <stddef.h>
#include <stdint.h>

#include "common/merges.h"
#include "common/status.h"
#include "common/vocabulary.h"

struct whole_characters {
    int32_t *id; /* [0x10000], by code point: its token when the condition holds, otherwise -1 */
};

enum status whole_characters_init(struct whole_characters *characters, const struct merges *merges,
                                  const struct vocabulary *vocabulary, const int32_t byte_id[256],
                                  struct error *error);
void whole_characters_free(struct whole_characters *characters);

/* The token with which encoding begins at place at of a pre-token, a whole character's or a byte's; returns its bytes.
 * requires at < size */
size_t whole_characters_next(const struct whole_characters *characters, const int32_t byte_id[256],
                             const char *bytes, size_t size, size_t at, int32_t *id);

#endif
