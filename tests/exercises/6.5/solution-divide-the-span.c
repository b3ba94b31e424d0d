#include "exercises.h"

/* No product at all: the span divided by each dimension must leave one element and no remainder. */
int byte_range(uint64_t *range, const uint64_t *shape, int n_dims, uint64_t element_size, uint64_t begin,
               uint64_t end, uint64_t header_size, uint64_t file_size)
{
    const uint64_t first = header_size + 8;
    if (end < begin || file_size - first < end) {
        return 0;
    }
    uint64_t left = end - begin;
    int empty = 0;
    for (int i = 0; i < n_dims; i++) {
        empty |= shape[i] == 0;
    }
    for (int i = 0; i < n_dims && !empty; i++) {
        if (left % shape[i] != 0) {
            return 0;
        }
        left /= shape[i];
    }
    if (left != (empty ? 0 : element_size)) {
        return 0;
    }
    range[0] = first + begin;
    range[1] = first + end;
    return 1;
}
