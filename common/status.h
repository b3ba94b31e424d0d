/* status.h: how a function says that something outside the program was wrong.
 * Introduced in chapter 1.
 *
 * A function that can fail returns an enum status and fills the caller's struct error with one line for a person:
 * what was wrong, where, and why. Nothing in common/ prints it; the program does (program.h). */
#ifndef COMMON_STATUS_H
#define COMMON_STATUS_H

#include <stddef.h>

enum status {
    STATUS_OK = 0,
    STATUS_USAGE,       /* a flag or its value; the program exits with 2, every other failure with 1 */
    STATUS_NO_MEMORY,   /* an allocation failed */
    STATUS_IO,          /* the system refused: not found, no permission, disk full */
    STATUS_FORMAT,      /* the bytes are not what the format promises */
    STATUS_UNSUPPORTED, /* well formed, but not something this code implements */
    STATUS_LIMIT        /* out of range: an id outside the vocabulary, a full context */
};

struct error {
    enum status status;
    char message[480]; /* one line, no newline, NUL-terminated; longer text is cut */
};

#if defined(__GNUC__)
#define STATUS_PRINTF __attribute__((format(printf, 3, 4)))
#else
#define STATUS_PRINTF
#endif

/* Fills *error and returns status, so that a failing branch is one line:
 *     return error_set(error, STATUS_FORMAT, "%s: expected at most %zu bytes, found %zu", path, limit, size);
 * Control characters that a file name or a file's text brings in are replaced by '?': the message stays one line.
 * error may be NULL when the caller only wants the status. */
enum status error_set(struct error *error, enum status status, const char *format, ...) STATUS_PRINTF;

/* "<what>: out of memory (<bytes> bytes)". Defined here, so that compilers and analyzers see what it returns. */
static inline enum status error_no_memory(struct error *error, const char *what, size_t bytes)
{
    error_set(error, STATUS_NO_MEMORY, "%s: out of memory (%zu bytes)", what, bytes);
    return STATUS_NO_MEMORY;
}

/* Puts "<where>: " in front of the message of an error that a callee has set, and returns its status.
 * requires error != NULL. */
enum status error_in(struct error *error, const char *where);

/* count * size, or SIZE_MAX where the product does not fit: malloc then fails cleanly and nothing overflows. */
size_t checked_product(size_t count, size_t size);

#endif
