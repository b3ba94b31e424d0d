/* files.h: small files that a test writes for the code under test to read. Problems fail the test. */
#ifndef TESTS_SUPPORT_FILES_H
#define TESTS_SUPPORT_FILES_H

#include <stddef.h>

#include "common/status.h"

/* An empty folder of this name under the build folder; what an earlier run left in it is removed. The caller frees. */
char *fresh_folder(const char *name);

/* "<folder>/<name>", the caller frees. */
char *test_path(const char *folder, const char *name);

/* Writes <folder>/<name>. */
void write_bytes(const char *folder, const char *name, const void *bytes, size_t size);
void write_text(const char *folder, const char *name, const char *text);

/* Writes a .safetensors file: the length of header, header, then size bytes of data. */
void write_safetensors(const char *folder, const char *name, const char *header, const void *data,
                       size_t size);

/* A file's bytes, NUL-terminated; the caller frees. */
char *read_bytes(const char *path, size_t *size);

/* Fails unless the call reported expected_status and a message that, where it begins with folder, goes on with "/" and
 * message, and is message otherwise. */
#define assert_error(status, error, expected_status, folder, message)                                        \
    assert_error_at(__FILE__, __LINE__, status, error, expected_status, folder, message)
void assert_error_at(const char *file, int line, enum status status, const struct error *error,
                     enum status expected_status, const char *folder, const char *message);

/* Fails with the error's message unless the call succeeded. */
#define assert_ok(status, error) assert_ok_at(__FILE__, __LINE__, status, error)
void assert_ok_at(const char *file, int line, enum status status, const struct error *error);

#endif
