#include "tests/fuzz/slow_bpe.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

void slow_bpe_init(struct slow_bpe *bpe, const json_t *root)
{
    const json_t *model = json_object_get(root, "model");
    const json_t *merges = json_object_get(model, "merges");
    bpe->vocabulary = json_incref(json_object_get(model, "vocab"));
    bpe->ranks = json_object();
    for (size_t i = 0; i < json_array_size(merges); i++) {
        const json_t *merge = json_array_get(merges, i);
        if (json_is_string(merge)) {
            json_object_set_new(bpe->ranks, json_string_value(merge), json_integer((json_int_t)i));
        } else {
            char *pair = fuzz_alloc(json_string_length(json_array_get(merge, 0)) +
                                    json_string_length(json_array_get(merge, 1)) + 2);
            sprintf(pair, "%s %s", json_string_value(json_array_get(merge, 0)),
                    json_string_value(json_array_get(merge, 1)));
            json_object_set_new(bpe->ranks, pair, json_integer((json_int_t)i));
            free(pair);
        }
    }
}

void slow_bpe_free(struct slow_bpe *bpe)
{
    json_decref(bpe->vocabulary);
    json_decref(bpe->ranks);
}

/* GPT-2's spelling of a byte: itself where it is printable, otherwise the next of U+0100, U+0101, … */
static size_t spell_byte(char *out, int byte)
{
    static int code_points[256];
    if (code_points['a'] == 0) {
        for (int b = 0, next = 0x100; b < 256; b++) {
            bool printable = (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
            code_points[b] = printable ? b : next++;
        }
    }
    int code_point = code_points[byte];
    if (code_point < 0x80) {
        out[0] = (char)code_point;
        return 1;
    }
    out[0] = (char)(0xc0 | code_point >> 6);
    out[1] = (char)(0x80 | (code_point & 0x3f));
    return 2;
}

/* The pre-token as it is spelled, cut into symbols: symbol i is text[start[i] .. start[i + 1]). */
struct symbols {
    char *text, *key;
    size_t *start, n;
    json_int_t *rank; /* of symbol i joined with the next one; NO_RANK when they do not join */
};

#define NO_RANK INT64_MAX

/* Writes symbol i to out and returns its length. */
static size_t copy_symbol(char *out, const struct symbols *symbols, size_t i)
{
    size_t length = symbols->start[i + 1] - symbols->start[i];
    memcpy(out, symbols->text + symbols->start[i], length);
    out[length] = '\0';
    return length;
}

static void look_up_rank(const struct slow_bpe *bpe, struct symbols *symbols, size_t i)
{
    size_t length = copy_symbol(symbols->key, symbols, i);
    symbols->key[length] = ' ';
    copy_symbol(symbols->key + length + 1, symbols, i + 1);
    const json_t *rank = json_object_get(bpe->ranks, symbols->key);
    symbols->rank[i] = rank != NULL ? json_integer_value(rank) : NO_RANK;
}

/* Joins the pair of the lowest rank, the leftmost of equal ones; false when no pair joins. */
static bool join_best(const struct slow_bpe *bpe, struct symbols *symbols)
{
    size_t best = 0;
    for (size_t i = 0; i + 1 < symbols->n; i++) {
        best = symbols->rank[i] < symbols->rank[best] ? i : best;
    }
    if (symbols->n < 2 || symbols->rank[best] == NO_RANK) {
        return false;
    }
    size_t n_after = symbols->n - best - 1;
    memmove(symbols->start + best + 1, symbols->start + best + 2, n_after * sizeof *symbols->start);
    memmove(symbols->rank + best, symbols->rank + best + 1, n_after * sizeof *symbols->rank);
    symbols->n--;
    if (best > 0) {
        look_up_rank(bpe, symbols, best - 1);
    }
    if (best + 1 < symbols->n) {
        look_up_rank(bpe, symbols, best);
    }
    return true;
}

void slow_bpe_encode(const struct slow_bpe *bpe, const char *bytes, size_t length, struct token_ids *ids)
{
    struct symbols symbols = {.text = fuzz_alloc(2 * length),
                              .key = fuzz_alloc(2 * length + 2),
                              .start = fuzz_alloc((length + 1) * sizeof(size_t)),
                              .rank = fuzz_alloc(length * sizeof(json_int_t)),
                              .n = length};
    symbols.start[0] = 0;
    for (size_t i = 0; i < length; i++) {
        char *out = symbols.text + symbols.start[i];
        symbols.start[i + 1] = symbols.start[i] + spell_byte(out, (unsigned char)bytes[i]);
    }
    for (size_t i = 0; i + 1 < length; i++) {
        look_up_rank(bpe, &symbols, i);
    }
    while (join_best(bpe, &symbols)) {
    }
    for (size_t i = 0; i < symbols.n; i++) {
        copy_symbol(symbols.key, &symbols, i);
        const json_t *id = json_object_get(bpe->vocabulary, symbols.key);
        EXPECT(id != NULL);
        EXPECT(token_ids_append(ids, (int32_t)json_integer_value(id), NULL) == STATUS_OK);
    }
    free(symbols.text);
    free(symbols.key);
    free(symbols.start);
    free(symbols.rank);
}
