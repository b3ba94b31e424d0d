/* utf8.h: characters in bytes that may or may not be UTF-8.
 * Introduced in chapter 6.
 *
 * What is not UTF-8 is taken in maximal parts: the longest beginning of a character that the bytes still could be, or
 * else one byte. Each part counts as one U+FFFD, as in Python's errors="replace" and Rust's from_utf8_lossy.
 * Unicode standard, section 3.9, table 3-7 and "U+FFFD Substitution of Maximal Subparts". */
#ifndef COMMON_UTF8_H
#define COMMON_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

enum {
    UTF8_REPLACEMENT = 0xfffd, /* the character that stands for what is none */
    UTF8_INVALID = -1,         /* bytes that no continuation can make a character */
    UTF8_UNFINISHED = -2,      /* all the bytes there are begin a character */
};

/* Reads the first character: returns how many bytes it takes and sets *code_point, or the length of the first maximal
 * part and one of the constants above. requires size >= 1. */
int utf8_read(const char *text, size_t size, int32_t *code_point);

/* Writes the character to out (up to 4 bytes) and returns its length. requires a code point that is no surrogate */
int utf8_write(char *out, int32_t code_point);

bool utf8_is_valid(const char *text, size_t size);

/* A copy of text in which every maximal part that is no character is U+FFFD; the caller frees *out. */
enum status utf8_repair(char **out, size_t *out_size, const char *text, size_t size, struct error *error);

#endif
