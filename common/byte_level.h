/* byte_level.h: how a vocabulary file spells bytes as characters.
 * Introduced in chapter 6.
 *
 * Tokens are bytes, but JSON holds text, so each byte is written as one printable character: the printable bytes of
 * Latin-1 as themselves, the n-th of the 68 others as U+0100 + n. A space is U+0120, a newline U+010A.
 * Radford et al. 2019, GPT-2's encoder.py, bytes_to_unicode. */
#ifndef COMMON_BYTE_LEVEL_H
#define COMMON_BYTE_LEVEL_H

#include <stddef.h>
#include <stdint.h>

enum { BYTE_LEVEL_CHARACTERS = 0x144 }; /* the highest one is U+0143 */

struct byte_level {
    int16_t byte_of[BYTE_LEVEL_CHARACTERS]; /* -1: no byte is spelled so */
};

void byte_level_init(struct byte_level *map);

/* Writes the bytes that a spelling stands for to out (at most size of them) and returns their number, or -1 when a
 * character in it stands for no byte or is not UTF-8. out may be the spelling itself. */
long byte_level_decode(const struct byte_level *map, char *out, const char *spelling, size_t size);

#endif
