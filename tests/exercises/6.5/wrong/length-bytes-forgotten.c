#include "exercises.h"

int byte_range(uint64_t *range, const uint64_t *shape, int n_dims, uint64_t element_size, uint64_t begin,
               uint64_t end, uint64_t header_size, uint64_t file_size)
{
    uint64_t bytes = element_size;
    for (int i = 0; i < n_dims; i++) {
        if (shape[i] != 0 && bytes > UINT64_MAX / shape[i]) {
            return 0;
        }
        bytes *= shape[i];
    }
    if (begin > end || end > file_size - 8 - header_size || end - begin != bytes) {
        return 0;
    }
    range[0] = header_size + begin;
    range[1] = header_size + end;
    return 1;
}
