/* fuzz.h: one function per parser that takes any bytes, and must come back.
 *
 * The same functions are driven by libFuzzer (`make fuzz`, entry.c) and, with the files under seeds/ and regressions/,
 * by `make test` (tests/test_fuzz_regressions.c). A target checks more than that nothing crashes: what was accepted must
 * hold what its header promises, and where the answer can be had in another, slower way the two are compared. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fuzz_target {
    const char *name; /* also of its folders under seeds/ and regressions/ */
    void (*run)(const uint8_t *data, size_t size);
    bool json;           /* inputs are JSON: the mutator changes members as well as bytes */
    size_t max_length;   /* of an input that is worth trying */
    const char *modules; /* of common/: whose lines its corpus should reach */
};

extern const struct fuzz_target fuzz_targets[]; /* the last one has no name */

void fuzz_safetensors_file(const uint8_t *data, size_t size);
void fuzz_safetensors_header(const uint8_t *data, size_t size);
void fuzz_shard_index(const uint8_t *data, size_t size);
void fuzz_model_config(const uint8_t *data, size_t size);
void fuzz_generation_config(const uint8_t *data, size_t size);
void fuzz_tokenizer_file(const uint8_t *data, size_t size);
void fuzz_tokenizer_encode(const uint8_t *data, size_t size);
void fuzz_tokenizer_decode(const uint8_t *data, size_t size);
void fuzz_tokenizer_config(const uint8_t *data, size_t size);
void fuzz_chat_template(const uint8_t *data, size_t size);
void fuzz_chat(const uint8_t *data, size_t size);
void fuzz_json_scan(const uint8_t *data, size_t size);
void fuzz_nfc(const uint8_t *data, size_t size);
void fuzz_options(const uint8_t *data, size_t size);
void fuzz_program(const uint8_t *data, size_t size);
void fuzz_prompt_ids(const uint8_t *data, size_t size);
void fuzz_model(const uint8_t *data, size_t size);

/* Ends the program, with what should have held, in every build. */
#define EXPECT(condition) ((condition) ? (void)0 : fuzz_failed(__FILE__, __LINE__, #condition))
void fuzz_failed(const char *file, int line, const char *condition);

/* For readers that take a path: a folder of this process, removed at the end, and the file name in it with these
 * bytes. The paths are in static buffers. */
const char *fuzz_folder(void);
const char *fuzz_write(const char *name, const void *data, size_t size);

/* Fails when a message is not one line, or is empty. */
struct error;
void fuzz_check_error(const struct error *error);

/* The text as jansson reads it, NULL when it is not JSON or has duplicate keys. JSON has no NUL byte outside escapes;
 * jansson 2.14 overlooks one behind a number. The value is good until the next call and must not be given back: its
 * memory is the arena's. */
json_t *fuzz_json(const void *text, size_t size);

/* Between the two jansson takes its memory from one block, which the next begin starts again: no value of it may be given
 * back after the end. */
void fuzz_arena_begin(void);
void fuzz_arena_end(void);

/* malloc that ends the program instead of returning NULL; of 1 byte when size is 0. */
void *fuzz_alloc(size_t size);

#endif
