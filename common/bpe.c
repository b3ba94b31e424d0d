#include "common/bpe.h"

#include <stdlib.h>

enum { NONE = -1 };

/* Symbols keep their place in the array; joining two makes the left one longer and takes the right one out of the list. */
struct bpe_symbol {
    int32_t id;
    int32_t previous, next; /* places in the array, NONE at the ends */
    int32_t rank;           /* of the merge with the next one; NONE: there is none, or this symbol is gone */
};

void bpe_free(struct bpe *bpe)
{
    merges_free(&bpe->merges);
    whole_characters_free(&bpe->characters);
}

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
    size_t heap_bytes = checked_product(checked_product(capacity, 3), sizeof *workspace->heap);
    workspace->symbol = calloc(capacity, sizeof *workspace->symbol);
    workspace->heap = malloc(heap_bytes);
    if (workspace->symbol == NULL || workspace->heap == NULL) {
        bpe_workspace_free(workspace);
        error_no_memory(error, "byte pair encoding", heap_bytes);
        return STATUS_NO_MEMORY;
    }
    workspace->capacity = capacity;
    return STATUS_OK;
}

/* A binary heap of (rank, place) in one number: the smallest is the lowest rank, then the leftmost. */
struct heap {
    uint64_t *waiting;
    size_t n;
};

static void heap_push(struct heap *heap, uint64_t value)
{
    size_t at = heap->n++;
    while (at > 0 && heap->waiting[(at - 1) / 2] > value) {
        heap->waiting[at] = heap->waiting[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->waiting[at] = value;
}

static uint64_t heap_pop(struct heap *heap)
{
    uint64_t top = heap->waiting[0];
    uint64_t last = heap->waiting[--heap->n];
    size_t at = 0;
    for (size_t child = 1; child < heap->n; child = 2 * at + 1) {
        if (child + 1 < heap->n && heap->waiting[child + 1] < heap->waiting[child]) {
            child++;
        }
        if (heap->waiting[child] >= last) {
            break;
        }
        heap->waiting[at] = heap->waiting[child];
        at = child;
    }
    heap->waiting[at] = last;
    return top;
}

/* Looks up the merge of a symbol with its next one and lets it wait, if there is one. */
static void look_up(const struct bpe *bpe, struct bpe_symbol *symbol, int32_t place, struct heap *heap)
{
    int32_t next = symbol[place].next;
    int32_t rank = next == NONE ? NONE : merges_rank(&bpe->merges, symbol[place].id, symbol[next].id);
    symbol[place].rank = rank;
    if (rank != NONE) {
        heap_push(heap, (uint64_t)rank << 32 | (uint32_t)place);
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
    struct heap heap = {workspace->heap, 0};
    int32_t n = 0;
    for (size_t at = 0; at < length; n++) {
        symbol[n] = (struct bpe_symbol){.previous = n - 1, .next = n + 1};
        at += whole_characters_next(&bpe->characters, bpe->byte_id, bytes, length, at, &symbol[n].id);
    }
    symbol[n - 1].next = NONE;
    for (int32_t i = 0; i < n; i++) {
        look_up(bpe, symbol, i, &heap);
    }
    while (heap.n > 0) {
        uint64_t best = heap_pop(&heap);
        int32_t left = (int32_t)(uint32_t)best;
        if (symbol[left].rank != (int32_t)(best >> 32)) {
            continue; /* one of the two has been joined to something else since */
        }
        int32_t right = symbol[left].next;
        int32_t after = symbol[right].next;
        symbol[left].id = bpe->merges.id[symbol[left].rank];
        symbol[left].next = after;
        symbol[right].rank = NONE;
        if (after != NONE) {
            symbol[after].previous = left;
        }
        look_up(bpe, symbol, left, &heap);
        if (symbol[left].previous != NONE) {
            look_up(bpe, symbol, symbol[left].previous, &heap);
        }
    }
    for (int32_t i = 0; i != NONE; i = symbol[i].next) {
        ids->id[ids->n++] = symbol[i].id;
    }
    return STATUS_OK;
}
