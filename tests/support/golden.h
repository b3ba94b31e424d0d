/* golden.h: reads tests/goldens/<name>.safetensors, the inputs and outputs of the reference implementations.
 *
 * A reader of its own, small and strict, so that the values that judge common/safetensors.c do not come through it,
 * and chapters 1 to 5 are tested without a JSON library. Every tensor that a test asks for is recorded in
 * $BUILD/golden-used/; tests/test_goldens.c fails on tensors that no test ever asked for. Any problem fails the test.
 * What golden_* functions return belongs to the caller (free). */
#ifndef TESTS_SUPPORT_GOLDEN_H
#define TESTS_SUPPORT_GOLDEN_H

#include <stddef.h>
#include <stdint.h>

enum { GOLDEN_MAX_DIMS = 4 };

struct golden {
    char name[64];
    unsigned char *bytes; /* the whole file */
    size_t size;
    const char *header; /* JSON text, NUL-terminated copy */
    size_t header_size;
};

/* "ch3_rope" opens tests/goldens/ch3_rope.safetensors. */
void golden_open(struct golden *golden, const char *name);
void golden_close(struct golden *golden);

/* All values as float64, whatever the stored type; *n gets their number (n may be NULL). */
double *golden_f64(const struct golden *golden, const char *tensor, size_t *n);
/* Float32 (or bfloat16) values as float32; fails the test for a tensor that float32 cannot hold exactly. */
float *golden_f32(const struct golden *golden, const char *tensor, size_t *n);
uint16_t *golden_bf16(const struct golden *golden, const char *tensor, size_t *n);
int64_t *golden_i64(const struct golden *golden, const char *tensor, size_t *n);
/* int64 values as int32, the type of positions and token ids. */
int32_t *golden_i32(const struct golden *golden, const char *tensor, size_t *n);
/* Fills shape, returns the number of dimensions. Does not count as use. */
int golden_shape(const struct golden *golden, const char *tensor, size_t shape[GOLDEN_MAX_DIMS]);

/* Records that item of file was compared: line numbers of a .jsonl file, keys of a .json file. */
void golden_mark(const char *file, const char *item);

/* The path of a file under tests/goldens, in a static buffer. */
const char *golden_path(const char *relative);

#endif
