/* tokens.h: what the tests of the tokenizer and of the chat share: the real vocabulary, a small one, lists of ids. */
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

/* Gives every line of a .jsonl golden to compare and marks it as used; fails unless there are n_expected. */
void each_golden_line(const char *file, int n_expected, void (*compare)(const char *line, size_t size));

/* GPT-2's spelling of a byte, as its own source describes it: NUL-terminated. */
void spell_byte(char out[3], int byte);

/* A tokenizer.json of 263 ids with Qwen2's settings: id b for byte b, then "he" 256, " t" 257, " the" 258, "ll" 259 by
 * the merges [h e], [Ġ t], [Ġt he], [l l], and the added tokens <|im_start|> 260, <|im_end|> 261, <note> 262, which is
 * not special. The first place where the text says from says to instead (NULL: nothing is changed); it must be there.
 * The caller frees. */
char *small_tokenizer(const char *from, const char *to);

#endif
