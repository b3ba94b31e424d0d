#include "common/bpe.h"

#include <stdlib.h>

enum { NONE = -1 };

/* Symbols keep their place in the array; joining two makes the left one longer and takes the right one out of the list. */
struct bpe_symbol {
    int32_t id;
    int32_t previous, next; /* places in the array, NONE at the ends */
    int32_t rank;           /* of the merge with the next one; NONE: there is none, or this symbol is gone */
    int32_t joined;         /* what that merge gives */
};

void bpe_workspace_free(struct bpe_workspace *workspace)
{
    free(workspace->symbol);
    free(workspace->heap);
    *workspace = (struct bpe_workspace){0};
}

static enum status reserve(struct bpe_workspace *workspace, size_t length, struct error *error)
{
    if (length <= workspace->capacity) {
        return STATUS_OK;
    }
    if (length > INT32_MAX) {
        return error_set(error, STATUS_LIMIT, "a pre-token of %zu bytes; at most %d", length, INT32_MAX);
    }
    size_t capacity = length > 2 * workspace->capacity ? length : 2 * workspace->capacity;
    bpe_workspace_free(workspace);
    size_t symbol_bytes = checked_product(capacity, sizeof *workspace->symbol);
    size_t heap_bytes = checked_product(checked_product(capacity, 3), sizeof *workspace->heap);
    workspace->symbol = malloc(symbol_bytes);
    workspace->heap = malloc(heap_bytes);
    if (workspace->symbol == NULL || workspace->heap == NULL) {
        bpe_workspace_free(workspace);
        return error_no_memory(error, "byte pair encoding", heap_bytes);
    }
    workspace->capacity = capacity;
    return STATUS_OK;
}

/* A binary heap of (rank, place) in one number: the smallest is the lowest rank, then the leftmost. */

static void heap_push(uint64_t *heap, size_t *n, uint64_t value)
{
    size_t at = (*n)++;
    while (at > 0 && heap[(at - 1) / 2] > value) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = value;
}

static uint64_t heap_pop(uint64_t *heap, size_t *n)
{
    uint64_t top = heap[0];
    uint64_t last = heap[--*n];
    size_t at = 0;
    for (size_t child = 1; child < *n; child = 2 * at + 1) {
        if (child + 1 < *n && heap[child + 1] < heap[child]) {
            child++;
        }
        if (heap[child] >= last) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

/* Looks up the merge of a symbol with its next one and lets it wait in the heap. */
static void consider(const struct bpe *bpe, struct bpe_symbol *symbol, int32_t place, uint64_t *heap,
                     size_t *n)
{
    symbol[place].rank = NONE;
    if (symbol[place].next == NONE) {
        return;
    }
    const struct merge *merge = merges_find(&bpe->merges, symbol[place].id, symbol[symbol[place].next].id);
    if (merge != NULL) {
        symbol[place].rank = merge->rank;
        symbol[place].joined = merge->id;
        heap_push(heap, n, (uint64_t)merge->rank << 32 | (uint32_t)place);
    }
}

enum status bpe_encode(const struct bpe *bpe, const char *bytes, size_t length,
                       struct bpe_workspace *workspace, struct token_ids *ids, struct error *error)
{
    enum status status = reserve(workspace, length, error);
    if (status == STATUS_OK) {
        status = token_ids_reserve(ids, length, error);
    }
    if (status != STATUS_OK || length == 0) {
        return status;
    }
    struct bpe_symbol *symbol = workspace->symbol;
    uint64_t *heap = workspace->heap;
    size_t n_waiting = 0;
    int32_t n = (int32_t)length;
    for (int32_t i = 0; i < n; i++) {
        symbol[i].id = bpe->byte_id[(unsigned char)bytes[i]];
        symbol[i].previous = i - 1;
        symbol[i].next = i + 1 < n ? i + 1 : NONE;
    }
    for (int32_t i = 0; i < n; i++) {
        consider(bpe, symbol, i, heap, &n_waiting);
    }
    while (n_waiting > 0) {
        uint64_t best = heap_pop(heap, &n_waiting);
        int32_t left = (int32_t)(uint32_t)best;
        if (symbol[left].rank != (int32_t)(best >> 32)) {
            continue; /* one of the two has been joined to something else since */
        }
        int32_t right = symbol[left].next;
        int32_t after = symbol[right].next;
        symbol[left].id = symbol[left].joined;
        symbol[left].next = after;
        symbol[right].rank = NONE;
        if (after != NONE) {
            symbol[after].previous = left;
        }
        consider(bpe, symbol, left, heap, &n_waiting);
        if (symbol[left].previous != NONE) {
            consider(bpe, symbol, symbol[left].previous, heap, &n_waiting);
        }
    }
    for (int32_t i = 0; i != NONE; i = symbol[i].next) {
        ids->id[ids->n++] = symbol[i].id;
    }
    return STATUS_OK;
}
