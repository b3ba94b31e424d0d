/* Steps on the table: growth, prefill and decode, rotate_half, shapes. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "steps.h"

static double largest_difference(const float *a, const float *b, size_t n)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs((double)a[i] - (double)b[i]));
    }
    return largest;
}

/* ---- Growth; prefill and decode ---- */

static enum status prefill_and_decode(const struct settings *s, const struct rope_table *table, FILE *out,
                                      struct error *error)
{
    size_t head_dim = (size_t)s->head_dim;
    float decoded[MAX_HEAD_DIM], late[MAX_HEAD_DIM], first[MAX_HEAD_DIM];
    int32_t position[17];
    const int32_t sixteen = 16, fifteen = 15;
    float *whole = calloc(17 * head_dim, sizeof *whole);
    if (whole == NULL) {
        return error_no_memory(error, "17 tokens", 17 * head_dim * sizeof *whole);
    }
    struct rng rng;
    rng_init(&rng, s->seed);
    for (int t = 0; t < 17; t++) {
        position[t] = t;
    }
    rng_fill_normal(&rng, whole, 17 * head_dim, 1.0);
    const float *row_16 = whole + 16 * head_dim;
    memcpy(first, whole, head_dim * sizeof *whole);
    memcpy(decoded, row_16, head_dim * sizeof *whole);
    memcpy(late, row_16, head_dim * sizeof *whole);
    rope_apply(whole, s->layout, table, position, 17, 1, head_dim, 0); /* prefill of 17 tokens */
    rope_apply(decoded, s->layout, table, &sixteen, 1, 1, 0, 0);       /* the last one alone */
    rope_apply(late, s->layout, table, &fifteen, 1, 1, 0, 0);
    fprintf(out,
            "     prefill 0..15, then decode at 16, against row 16 of a prefill of 17:  %g\n"
            "     the same decoded at 15, a common slip:                                %.2f\n"
            "     position 0 against the vector as it was (the identity):               %g\n",
            largest_difference(decoded, row_16, head_dim), largest_difference(late, row_16, head_dim),
            largest_difference(first, whole, head_dim));
    free(whole);
    return STATUS_OK;
}

enum status step_table(void *context, FILE *out, struct error *error)
{
    const struct settings *s = context;
    struct rope_table table, prefill;
    enum status status = rope_table_init(&table, s->head_dim, s->theta, 16, error);
    if (status != STATUS_OK) {
        return status;
    }
    status = rope_table_init(&prefill, s->head_dim, s->theta, 16, error);
    if (status == STATUS_OK) {
        status = rope_table_reserve(&table, 17, error);
        if (status == STATUS_OK) {
            size_t n = 16 * (size_t)s->head_dim / 2;
            double change = largest_difference(table.cosine, prefill.cosine, n);
            change = fmax(change, largest_difference(table.sine, prefill.sine, n));
            fprintf(out,
                    "   Built for %d positions (%d x %d cosines, as many sines), then grown to %d\n"
                    "   as a longer sequence comes. What was there changed by %g. Differences:\n",
                    prefill.n_positions, prefill.n_positions, s->head_dim / 2, table.n_positions, change);
            status = prefill_and_decode(s, &table, out, error);
        }
        rope_table_free(&prefill);
    }
    rope_table_free(&table);
    return status;
}

/* ---- rotate_half ---- */

/* x * cos + rotate(x) * sin, as modeling_qwen2.py and its relatives write it: cos and sin of every pair stand twice, and
 * rotate(x) holds each element's partner, negated for the first of a pair. */
static void rotate_by_partner(float *out, const float *x, const float *cosine, const float *sine,
                              enum rope_layout layout, int head_dim)
{
    int half = head_dim / 2;
    for (int e = 0; e < head_dim; e++) {
        int pair = layout == ROPE_HALF ? e % half : e / 2;
        int is_first = layout == ROPE_HALF ? e < half : e % 2 == 0;
        int step = layout == ROPE_HALF ? half : 1;
        float partner = is_first ? -x[e + step] : x[e - step];
        out[e] = x[e] * cosine[pair] + partner * sine[pair];
    }
}

enum status step_rotate_half(void *context, FILE *out, struct error *error)
{
    const struct settings *s = context;
    struct rope_table table;
    enum status status = rope_table_init(&table, s->head_dim, s->theta, 101, error);
    if (status != STATUS_OK) {
        return status;
    }
    float direct[MAX_HEAD_DIM], by_partner[MAX_HEAD_DIM];
    const int32_t hundred = 100;
    size_t row = (size_t)hundred * (size_t)(s->head_dim / 2);
    struct rng rng;
    rng_init(&rng, s->seed);
    rng_fill_normal(&rng, direct, (size_t)s->head_dim, 1.0);
    rotate_by_partner(by_partner, direct, table.cosine + row, table.sine + row, s->layout, s->head_dim);
    rope_apply(direct, s->layout, &table, &hundred, 1, 1, 0, 0);
    if (s->layout == ROPE_HALF) {
        fprintf(out,
                "     direct      (a, b) -> (a cos - b sin, a sin + b cos) a = x[i], b = x[i+%d]\n"
                "     rotate_half x * cos + [-second half, first half] * sin\n",
                s->head_dim / 2);
    } else {
        fprintf(out, "     direct      (a, b) -> (a cos - b sin, a sin + b cos) a = x[2i], b = x[2i+1]\n"
                     "     by partner  x * cos + [-x1, x0, -x3, x2, ...] * sin\n");
    }
    fprintf(out,
            "   Largest difference at position %d: %g. The second form suits tensor\n"
            "   libraries; the first reads each element once.\n",
            hundred, largest_difference(direct, by_partner, (size_t)s->head_dim));
    rope_table_free(&table);
    return STATUS_OK;
}

/* ---- Shapes ---- */

enum { BATCH = 2, SEQ = 5, TOKENS = BATCH * SEQ, HEADS = 14, KV_HEADS = 2 };

/* [batch, seq, heads, head_dim] to [batch, heads, seq, head_dim]. */
static void transpose(float *out, const float *in, size_t head_dim)
{
    for (size_t b = 0; b < BATCH; b++) {
        for (size_t t = 0; t < SEQ; t++) {
            for (size_t h = 0; h < HEADS; h++) {
                memcpy(out + ((b * HEADS + h) * SEQ + t) * head_dim,
                       in + ((b * SEQ + t) * HEADS + h) * head_dim, head_dim * sizeof *out);
            }
        }
    }
}

/* A tensor library's rule: sizes are aligned from the right, and where they differ one of them must be 1. */
static bool broadcasts(const int a[4], const int b[4])
{
    for (int i = 0; i < 4; i++) {
        if (a[i] != b[i] && a[i] != 1 && b[i] != 1) {
            return false;
        }
    }
    return true;
}

static void compare_broadcasts(int head_dim, FILE *out)
{
    const int table[4] = {SEQ, 1, 1, head_dim};
    const int by_sequence[4] = {SEQ, BATCH, HEADS, head_dim};
    const int by_batch[4] = {BATCH, SEQ, HEADS, head_dim};
    const int as_many[4] = {SEQ, SEQ, HEADS, head_dim};
    fprintf(out,
            "   A table of shape [L, 1, 1, D], L = %d, broadcast against\n"
            "     [L, B, H, D]  %s      [B, L, H, D], B = %d  %s\n"
            "     [B, L, H, D], B = %d  %s, and sequence b is turned by position b, silently\n",
            SEQ, broadcasts(table, by_sequence) ? "fits" : "does not fit", BATCH,
            broadcasts(table, by_batch) ? "fits" : "does not fit", SEQ,
            broadcasts(table, as_many) ? "fits" : "does not fit");
}

/* space [4, TOKENS * HEADS * head_dim]. */
static void compare_shapes(const struct settings *s, const struct rope_table *table, float *space, FILE *out)
{
    /* Two sequences, the second one continued from position 40: each has positions of its own. */
    static const int32_t position[TOKENS] = {0, 1, 2, 3, 4, 40, 41, 42, 43, 44};
    size_t d = (size_t)s->head_dim, n = TOKENS * HEADS * d, sequence = SEQ * HEADS * d;
    float *by_token = space, *by_head = space + n, *expected = space + 2 * n, *packed = space + 3 * n;
    struct rng rng;
    rng_init(&rng, s->seed);
    rng_fill_normal(&rng, by_token, n, 1.0);
    transpose(by_head, by_token, d);
    memcpy(packed, by_token, n * sizeof *packed);
    float key[KV_HEADS * MAX_HEAD_DIM] = {0};
    const float *last_query = by_token + n - d; /* the last token's last query head */
    memcpy(key + (KV_HEADS - 1) * d, last_query, d * sizeof *key);
    rope_apply(key, s->layout, table, position + TOKENS - 1, 1, KV_HEADS, 0, d);
    for (int b = 0; b < BATCH; b++) {
        const int32_t *own = position + b * SEQ;
        rope_apply(by_token + (size_t)b * sequence, s->layout, table, own, SEQ, HEADS, HEADS * d, d);
        rope_apply(by_head + (size_t)b * sequence, s->layout, table, own, SEQ, HEADS, d, SEQ * d);
    }
    rope_apply(packed, s->layout, table, position, TOKENS, HEADS, HEADS * d, d);
    transpose(expected, by_token, d);
    fprintf(out,
            "   Two sequences of 5 tokens, one from position 0, one continued from 40:\n"
            "     shape                            token stride  head stride  differs by\n"
            "     [batch, seq, heads, head_dim]    %12zu %12zu  (compared with)\n"
            "     [batch, heads, seq, head_dim]    %12zu %12zu  %10g\n"
            "     [tokens, heads, head_dim] packed %12zu %12zu  %10g\n",
            HEADS * d, d, d, SEQ * d, largest_difference(by_head, expected, n), HEADS * d, d,
            largest_difference(packed, by_token, n));
    fprintf(out,
            "   A token's %d query heads and %d key heads all turn by the same row of %d\n"
            "   cosines and sines: one vector as query head %d and as key head %d, apart by %g.\n",
            HEADS, KV_HEADS, s->head_dim / 2, HEADS - 1, KV_HEADS - 1,
            largest_difference(key + (KV_HEADS - 1) * d, last_query, d));
    compare_broadcasts(s->head_dim, out);
}

enum status step_shapes(void *context, FILE *out, struct error *error)
{
    const struct settings *s = context;
    struct rope_table table;
    enum status status = rope_table_init(&table, s->head_dim, s->theta, 45, error);
    if (status != STATUS_OK) {
        return status;
    }
    size_t bytes = checked_product((size_t)4 * TOKENS * HEADS * (size_t)s->head_dim, sizeof(float));
    float *space = malloc(bytes);
    if (space == NULL) {
        status = error_no_memory(error, "queries", bytes);
    } else {
        compare_shapes(s, &table, space, out);
    }
    free(space);
    rope_table_free(&table);
    return status;
}
