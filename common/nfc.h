/* nfc.h: Unicode normalization form C, so that one text has one spelling: e + U+0301 becomes U+00E9.
 * Introduced in chapter 6.
 *
 * Decompose every character, put the combining marks after each in the order of their class, compose what has a composed
 * form. The data is utf8proc's, and so is its version of Unicode: marks younger than that are left where they stand.
 * Unicode Standard Annex 15. */
#ifndef COMMON_NFC_H
#define COMMON_NFC_H

#include <stdbool.h>
#include <stddef.h>

#include "common/status.h"

/* True when every character is of a block where normalization changes nothing (most text is). False says nothing.
 * requires valid UTF-8 */
bool nfc_is_trivial(const char *text, size_t size);

/* The text in form C; the caller frees *out. Time and memory are proportional to size, however many marks follow one
 * letter. requires valid UTF-8 */
enum status nfc_normalize(char **out, size_t *out_size, const char *text, size_t size, struct error *error);

#endif
