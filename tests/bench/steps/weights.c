#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */
#include "tests/bench/steps/weights.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "common/huge_pages.h"
#include "common/rng.h"

enum { HUGE_PAGE = 1 << 21, PATTERN = 1 << 20 };

static const int shapes[PER_LAYER][2] = {{1152, 896}, {896, 896}, {9728, 896}, {896, 4864}}; /* rows, cols */

/* Without bytes only counts them. */
static void place(struct weights *weights, int one_in)
{
    weights->n_bytes = 0;
    for (int i = 0; i < N_MATRICES; i++) {
        bool head = i == N_MATRICES - 1;
        int rows = (head ? VOCABULARY : shapes[i % PER_LAYER][0]) / one_in;
        int cols = head ? 896 : shapes[i % PER_LAYER][1];
        const unsigned char *data = weights->bytes == NULL ? NULL : weights->bytes + weights->n_bytes;
        weights->matrix[i] = (struct tensor){data, DTYPE_BF16, rows, cols};
        weights->n_bytes += 2 * (size_t)rows * (size_t)cols;
    }
}

/* Random signs and mantissas, between 2^-6 and 2^-5: the size of trained weights. The same megabyte again and again. */
static void fill(struct weights *weights)
{
    struct rng rng;
    rng_init(&rng, 1);
    for (size_t i = 0; i < PATTERN; i += sizeof(uint64_t)) {
        uint64_t four = (rng_next(&rng) & 0x807f807f807f807fULL) | 0x3c803c803c803c80ULL;
        memcpy(weights->bytes + i, &four, sizeof four);
    }
    for (size_t i = PATTERN; i < weights->n_bytes; i += PATTERN) {
        size_t n = weights->n_bytes - i < PATTERN ? weights->n_bytes - i : PATTERN;
        memcpy(weights->bytes + i, weights->bytes, n);
    }
}

enum status weights_init(struct weights *weights, int one_in, bool huge_pages, bool *given,
                         struct error *error)
{
    struct memory_use before;
    struct memory_use after;
    memset(weights, 0, sizeof *weights);
    place(weights, one_in);
    size_t size = weights->n_bytes + HUGE_PAGE;
    void *mapping = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) {
        return error_no_memory(error, "weights", size);
    }
    weights->mapping = mapping;
    weights->mapping_size = size;
#ifdef MADV_HUGEPAGE
    madvise(mapping, size, huge_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#endif
    weights->bytes = (unsigned char *)mapping + (HUGE_PAGE - (uintptr_t)mapping % HUGE_PAGE) % HUGE_PAGE;
    place(weights, one_in);
    bool known = memory_use_read(&before);
    fill(weights);
    *given = known && memory_use_read(&after) && after.huge - before.huge >= weights->n_bytes / 2;
    return STATUS_OK;
}

void weights_free(struct weights *weights)
{
    if (weights->mapping != NULL) {
        munmap(weights->mapping, weights->mapping_size);
    }
    memset(weights, 0, sizeof *weights);
}
