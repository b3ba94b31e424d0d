/* json.h: reads the JSON files of a model folder, on jansson, with errors that name file and key.
 * Introduced in chapter 6.
 *
 * Strict: duplicate keys, trailing text, NaN and numbers out of range are refused. A key that is present with the value
 * null counts as absent, as in Hugging Face's own reading. */
#ifndef COMMON_JSON_H
#define COMMON_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "common/status.h"

/* Parses a whole file, which must be an object; the caller owns *root (json_decref).
 * errors: STATUS_IO, STATUS_FORMAT with line and column, STATUS_NO_MEMORY. */
enum status json_read_file(json_t **root, const char *path, struct error *error);
/* The same for bytes in memory; name stands for the path in messages. */
enum status json_read_bytes(json_t **root, const char *bytes, size_t size, const char *name,
                            struct error *error);

/* The member of an object, NULL when absent or null. */
json_t *json_member(const json_t *object, const char *key);

/* Typed members: *value keeps its default when the key is absent or null; another type or an out-of-range number is
 * STATUS_FORMAT: "<file>: <key>: expected a whole number from 1 to 2147483647, found a string". */
enum status json_get_int(const json_t *object, const char *key, int min, int max, int *value,
                         const char *file, struct error *error);
enum status json_get_double(const json_t *object, const char *key, double *value, const char *file,
                            struct error *error);
enum status json_get_bool(const json_t *object, const char *key, bool *value, const char *file,
                          struct error *error);

/* The text of a string (borrowed), NULL for other kinds and for one with a NUL inside, of which C sees only the
 * beginning: "qwen2\u0000x" is not "qwen2". */
const char *json_text(const json_t *value);
/* Whether value is a string of exactly this text. */
bool json_text_is(const json_t *value, const char *text);

/* "a string", "an object", … for messages. */
const char *json_kind(const json_t *value);

/* What a message says was found: the value as it is written in JSON where it is short, its kind otherwise. In out, where
 * it needs room. */
enum { JSON_SHOWN = 64 };
const char *json_show(char out[JSON_SHOWN], const json_t *value);

#endif
