#include "common/token_ids.h"

#include <stdlib.h>

void token_ids_free(struct token_ids *ids)
{
    free(ids->id);
    *ids = (struct token_ids){0};
}

enum status token_ids_reserve(struct token_ids *ids, size_t extra, struct error *error)
{
    if (ids->capacity - ids->n >= extra) {
        return STATUS_OK;
    }
    /* Doubling keeps the cost of n appends proportional to n. */
    size_t wanted = ids->n + (extra > ids->n ? extra : ids->n);
    if (wanted < 16) {
        wanted = 16;
    }
    size_t bytes = wanted < extra ? SIZE_MAX : checked_product(wanted, sizeof *ids->id);
    int32_t *grown = realloc(ids->id, bytes);
    if (grown == NULL) {
        return error_no_memory(error, "token ids", bytes);
    }
    ids->id = grown;
    ids->capacity = wanted;
    return STATUS_OK;
}

enum status token_ids_append(struct token_ids *ids, int32_t id, struct error *error)
{
    enum status status = token_ids_reserve(ids, 1, error);
    if (status == STATUS_OK) {
        ids->id[ids->n++] = id;
    }
    return status;
}
