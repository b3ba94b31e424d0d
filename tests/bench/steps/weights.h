/* weights.h: the matrices that one token of Qwen2.5-0.5B multiplies, with bfloat16 weights that mean nothing. */
#ifndef TESTS_BENCH_STEPS_WEIGHTS_H
#define TESTS_BENCH_STEPS_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/status.h"
#include "common/tensor.h"

/* 24 layers of Q, K and V in one, O, gate and up in one, down; then the head. */
enum {
    N_LAYERS = 24,
    PER_LAYER = 4,
    N_MATRICES = N_LAYERS * PER_LAYER + 1,
    LARGEST_WIDTH = 4864,
    LARGEST_HEIGHT = 9728, /* of a layer */
    VOCABULARY = 151936,
    FEWER = 64 /* divides the rows of all */
};

struct weights {
    struct tensor matrix[N_MATRICES]; /* in the order in which a token meets them */
    size_t n_bytes;
    unsigned char *bytes; /* of all, one after the other */
    void *mapping;
    size_t mapping_size;
};

/* one_in: 1, or one of so many rows of each matrix, to try the ladder itself.
 * huge_pages: in pages of 2 MB; *given says whether the system gave them, for at least half of the bytes. Without
 * huge_pages they are the smallest that it has. */
enum status weights_init(struct weights *weights, int one_in, bool huge_pages, bool *given,
                         struct error *error);
void weights_free(struct weights *weights);

#endif
