#include "common/whole_characters.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/utf8.h"

enum { N_CODE_POINTS = 0x10000 };

/* The lowest rank of the merges that join a token to a neighbour outside of its character, by token id. */
struct borders {
    int32_t *left, *right; /* [vocabulary size], MERGES_MAX where there is none */
};

static void note_merge(struct borders *borders, const struct vocabulary *vocabulary, uint64_t slot)
{
    int32_t rank = (int32_t)(slot & (MERGES_MAX - 1));
    int32_t right = (int32_t)(slot >> MERGES_ID_BITS & (MERGES_MAX - 1));
    int32_t left = (int32_t)(slot >> 2 * MERGES_ID_BITS);
    size_t n_left, n_right;
    const char *left_bytes = vocabulary_piece(vocabulary, left, &n_left);
    const char *right_bytes = vocabulary_piece(vocabulary, right, &n_right);
    unsigned char last = (unsigned char)left_bytes[n_left - 1], first = (unsigned char)right_bytes[0];
    if (last >= 0x80 && last < 0xc0 && rank < borders->left[right]) {
        borders->left[right] = rank;
    }
    if (first >= 0xc0 && rank < borders->right[left]) {
        borders->right[left] = rank;
    }
}

static enum status find_borders(struct borders *borders, const struct merges *merges,
                                const struct vocabulary *vocabulary, struct error *error)
{
    size_t n = (size_t)vocabulary->size;
    borders->left = malloc(n * sizeof *borders->left);
    borders->right = malloc(n * sizeof *borders->right);
    if (borders->left == NULL || borders->right == NULL) {
        return error_no_memory(error, "tokenizer", n * sizeof *borders->left);
    }
    for (size_t id = 0; id < n; id++) {
        borders->left[id] = borders->right[id] = MERGES_MAX;
    }
    for (size_t i = 0; i < merges->n_slots; i++) {
        if (merges->slot[i] != MERGES_EMPTY) {
            note_merge(borders, vocabulary, merges->slot[i]);
        }
    }
    return STATUS_OK;
}

/* Joins the bytes of one character as byte pair encoding does; -1 when they do not end as one token, or when a merge
 * across the border could have come between. */
static int32_t join(const struct merges *merges, const struct borders *borders, int32_t part[4], int n)
{
    while (n > 1) {
        int best = -1;
        int32_t best_rank = MERGES_MAX;
        for (int i = 0; i + 1 < n; i++) {
            int32_t rank = merges_rank(merges, part[i], part[i + 1]);
            if (rank >= 0 && rank < best_rank) {
                best = i;
                best_rank = rank;
            }
        }
        if (best < 0 || borders->left[part[0]] <= best_rank || borders->right[part[n - 1]] <= best_rank) {
            return -1;
        }
        part[best] = merges->id[best_rank];
        n--;
        for (int i = best + 1; i < n; i++) {
            part[i] = part[i + 1];
        }
    }
    return part[0];
}

static int32_t whole(int32_t code_point, const struct merges *merges, const struct borders *borders,
                     const int32_t byte_id[256])
{
    if (code_point < 0x80 || (code_point >= 0xd800 && code_point <= 0xdfff)) {
        return -1;
    }
    char text[4];
    int32_t part[4];
    int n = utf8_write(text, code_point);
    for (int i = 0; i < n; i++) {
        part[i] = byte_id[(unsigned char)text[i]];
    }
    return join(merges, borders, part, n);
}

enum status whole_characters_init(struct whole_characters *characters, const struct merges *merges,
                                  const struct vocabulary *vocabulary, const int32_t byte_id[256],
                                  struct error *error)
{
    size_t bytes = N_CODE_POINTS * sizeof *characters->id;
    characters->id = malloc(bytes);
    if (characters->id == NULL) {
        return error_no_memory(error, "tokenizer", bytes);
    }
    struct borders borders = {NULL, NULL};
    enum status status = find_borders(&borders, merges, vocabulary, error);
    for (int32_t code_point = 0; code_point < N_CODE_POINTS && status == STATUS_OK; code_point++) {
        characters->id[code_point] = whole(code_point, merges, &borders, byte_id);
    }
    free(borders.left);
    free(borders.right);
    return status;
}

void whole_characters_free(struct whole_characters *characters)
{
    free(characters->id);
    characters->id = NULL;
}

size_t whole_characters_next(const struct whole_characters *characters, const int32_t byte_id[256],
                             const char *bytes, size_t size, size_t at, int32_t *id)
{
    const unsigned char *text = (const unsigned char *)bytes + at;
    if (text[0] >= 0xc0 && (at == 0 || text[-1] >= 0x80)) {
        int32_t code_point;
        size_t length = (size_t)utf8_read(bytes + at, size - at, &code_point);
        bool beside = at + length == size || text[length] >= 0xc0;
        if (beside && code_point >= 0 && code_point < N_CODE_POINTS && characters->id[code_point] >= 0) {
            *id = characters->id[code_point];
            return length;
        }
    }
    *id = byte_id[text[0]];
    return 1;
}
