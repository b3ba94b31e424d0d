/* tokens.h: what the tests of the tokenizer and of the chat share: the real vocabulary, lines of goldens, lists of ids. */
#ifndef TESTS_SUPPORT_TOKENS_H
#define TESTS_SUPPORT_TOKENS_H

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An assertion for loops of a million: Check writes each ck_assert that passes to a file. */
#define expect(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            ck_abort_msg("%s:%d: %s", __FILE__, __LINE__, #condition);                                       \
        }                                                                                                    \
    } while (0)

/* The folder of Qwen2.5's unpacked tokenizer.json, in a static buffer. */
const char *qwen_tokenizer_folder(void);

/* Fails unless got are the expected ids; prints text and both lists. */
void assert_ids_at(const char *file, int line, const char *text, const int32_t *got, size_t n_got,
                   const int32_t *expected, size_t n_expected);

/* A whole file, NUL-terminated; the caller frees. Fails the test when it cannot be read. */
char *read_text_file(const char *path, size_t *size);
void write_text_file(const char *path, const char *text, size_t size);

/* A new empty folder under $BUILD, in a static buffer. */
const char *test_folder(const char *name);

#endif
