/* token_ids.h: a growing list of token ids.
 * Introduced in chapter 6. */
#ifndef COMMON_TOKEN_IDS_H
#define COMMON_TOKEN_IDS_H

#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

/* Zero it first; token_ids_free frees it and leaves it empty. */
struct token_ids {
    int32_t *id;
    size_t n, capacity;
};

void token_ids_free(struct token_ids *ids);

/* Makes room for extra more ids, so that appending them cannot fail. */
enum status token_ids_reserve(struct token_ids *ids, size_t extra, struct error *error);
enum status token_ids_append(struct token_ids *ids, int32_t id, struct error *error);

#endif
