/* json_scan.h: walks over JSON text in place, without building a tree.
 * Introduced in chapter 6.
 *
 * tokenizer.json is two tables of 151 thousand entries and a page of settings. A tree of the tables would take four times
 * as long as everything else at the start of the program, so they are read as they lie; the settings go through json.h.
 * On false the text at scan->at is not what was asked for. */
#ifndef COMMON_JSON_SCAN_H
#define COMMON_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_scan {
    const char *at, *end;
};

/* Skips white space, then takes this punctuation character when it is next. */
bool json_scan_take(struct json_scan *scan, char character);

/* A string, strictly: UTF-8, escapes, no control characters. Writes its text to out, which must hold as many bytes as
 * are left in the scan: a text is never longer than its spelling. */
bool json_scan_string(struct json_scan *scan, char *out, size_t *length);

/* A whole number from 0 to 10^15, without fraction, exponent or leading zeros. */
bool json_scan_number(struct json_scan *scan, int64_t *number);

/* Any value, by its quotes and brackets only: whoever keeps the text parses it properly. No recursion. */
bool json_scan_skip(struct json_scan *scan);

/* Goes to the value of the first member of this name in the object that is next. */
bool json_scan_member(struct json_scan *scan, const char *name);

#endif
