/* reader.c: see reader.h. */
#include "reader.h"

#include <stdlib.h>

#include "common/require.h"

enum status reader_init(struct reader *reader, const struct qwen2 *model, int max_tokens, int capacity,
                        struct error *error)
{
    REQUIRE(max_tokens > 0 && capacity > 0);
    size_t n = (size_t)max_tokens;
    size_t n_logits = checked_product(n, (size_t)model->config.vocab_size);
    *reader = (struct reader){.model = model, .max_tokens = max_tokens};
    enum status status = qwen2_run_init(&reader->run, model, max_tokens, error);
    if (status == STATUS_OK) {
        status = qwen2_cache_init(&reader->cache, model, capacity, error);
    }
    if (status != STATUS_OK) {
        reader_free(reader);
        return status;
    }
    reader->position = calloc(n, sizeof *reader->position);
    reader->row = calloc(n, sizeof *reader->row);
    reader->sequence =
        calloc(n, sizeof *reader->sequence); /* NOLINT(bugprone-sizeof-expression): of pointers */
    reader->logits = malloc(checked_product(n_logits, sizeof *reader->logits));
    if (reader->position == NULL || reader->row == NULL || reader->sequence == NULL ||
        reader->logits == NULL) {
        reader_free(reader);
        return error_no_memory(error, "logits", checked_product(n_logits, sizeof *reader->logits));
    }
    for (int i = 0; i < max_tokens; i++) {
        reader->row[i] = i;
        reader->sequence[i] = &reader->cache;
    }
    return STATUS_OK;
}

void reader_free(struct reader *reader)
{
    qwen2_run_free(&reader->run);
    kv_cache_free(&reader->cache);
    free(reader->position);
    free(reader->row);
    free(reader->sequence);
    free(reader->logits);
    *reader = (struct reader){.model = NULL};
}

enum status reader_read(struct reader *reader, const int32_t *token, int n_tokens, reader_callback callback,
                        void *context, struct error *error)
{
    kv_cache_truncate(&reader->cache, 0);
    for (int first = 0; first < n_tokens; first += reader->max_tokens) {
        int n = n_tokens - first < reader->max_tokens ? n_tokens - first : reader->max_tokens;
        reader->first = first;
        for (int i = 0; i < n; i++) {
            reader->position[i] = first + i + (first + i > 0 ? reader->shift : 0);
        }
        struct batch batch = {.n_tokens = n,
                              .token = token + first,
                              .position = reader->position,
                              .sequence = reader->sequence,
                              .mask = reader->mask,
                              .mask_stride = reader->mask_stride};
        enum status status = qwen2_forward(reader->model, &reader->run, &batch, reader->row, n,
                                           reader->logits, reader->hook, error);
        if (status == STATUS_OK && callback != NULL) {
            status = callback(context, first, n, reader->logits, error);
        }
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}
