/* matmul_vector.h: the algorithms of a kernel that multiplies float32, in terms of one vector.
 * Introduced in chapter 4. Included once by each of matmul_avx2.c, matmul_avx512.c and matmul_neon.c, which define before:
 *
 *     vector             LANES float32
 *     zero(), broadcast(f), add(a, b), multiply_add(a, b, sum) = a * b + sum with one rounding, add_lanes(v) = their sum
 *     load(p), store(p, v)                       float32, any alignment
 *     load_first(p, n), store_first(p, v, n)     only the first n < LANES; the others load as 0 and are not touched
 *     load_weights(p, dtype), load_first_weights(p, dtype, n)      the same, from any dtype, widened
 *     load_even(p), load_odd(p)                  the first and the second bfloat16 of LANES pairs, widened
 *     even_lanes(a, b), odd_lanes(a, b)          every second lane of a and then of b
 *     add_lanes_4(sums, a, b, c, d)              add_lanes of four vectors
 *     keep(&v)           v stays in a register where the compiler would rather load it again for each of its uses
 *     transpose(v)       LANES vectors: v[row] lane column becomes v[column] lane row
 *     FEW_ROWS, FEW_TOKENS                       sums of the small tile: FEW_ROWS x FEW_TOKENS
 *     TILE_TOKENS, TILE_VECTORS                  sums of the large tile: TILE_TOKENS x TILE_VECTORS
 *
 * For INLINE and UNROLL see matmul_kernels.h. */
#ifndef COMMON_MATMUL_VECTOR_H
#define COMMON_MATMUL_VECTOR_H

enum {
    TILE_ROWS = TILE_VECTORS * LANES,
    LINE = 64,      /* bytes of a line of the cache */
    PREFETCH = 3072 /* bytes ahead of each stream of weights */
};

INLINE size_t element_size(enum dtype dtype)
{
    return dtype == DTYPE_F32 ? 4 : 2;
}

#include "common/matmul_few.h"

/* ---- Many tokens: tiles fed from packed panels ---- */

INLINE void pack_of(const enum dtype dtype, float *panel, const struct tensor *w, int first, int from,
                    int depth)
{
    const size_t size = element_size(dtype), stride = (size_t)w->cols * size;
    for (int column = 0; column < TILE_ROWS; column += LANES) {
        const unsigned char *start = matmul_address(w, first + column, from);
        int n_rows = w->rows - first - column;
        for (int k = 0; k < depth; k += LANES) {
            vector v[LANES];
            UNROLL
            for (int i = 0; i < LANES; i++) {
                const unsigned char *row = start + (size_t)i * stride + (size_t)k * size;
                __builtin_prefetch(row + 4 * LINE);
                v[i] = i >= n_rows          ? zero()
                       : depth - k >= LANES ? load_weights(row, dtype)
                                            : load_first_weights(row, dtype, depth - k);
            }
            transpose(v);
            UNROLL
            for (int i = 0; i < LANES; i++) {
                store(panel + (k + i) * TILE_ROWS + column, v[i]);
            }
        }
    }
}

static void pack(float *panel, const struct tensor *w, int first, int from, int depth)
{
    switch (w->dtype) {
    case DTYPE_F32: pack_of(DTYPE_F32, panel, w, first, from, depth); break;
    case DTYPE_BF16: pack_of(DTYPE_BF16, panel, w, first, from, depth); break;
    case DTYPE_F16: pack_of(DTYPE_F16, panel, w, first, from, depth); break;
    }
}

/* Asks for what will be read soon, so many bytes ahead. Asked twice: a processor that is busy reading drops requests. */
enum { SOON = 6144, LATER = 12288 };

INLINE void ask_ahead(const float *from, size_t n_bytes)
{
    for (size_t byte = 0; byte < n_bytes; byte += LINE) {
        __builtin_prefetch((const unsigned char *)from + byte + SOON);
        __builtin_prefetch((const unsigned char *)from + byte + LATER);
    }
}

/* streamed: the panel lies in memory, not in the cache. */
INLINE void many_tile(const int n_tokens, const bool streamed, float *y, size_t y_stride, const float *bias,
                      const float *x, size_t x_stride, const float *panel, size_t panel_stride, int depth,
                      int n_rows)
{
    vector sum[TILE_TOKENS][TILE_VECTORS], weights[TILE_VECTORS];
    UNROLL
    for (int t = 0; t < n_tokens; t++) {
        UNROLL
        for (int j = 0; j < TILE_VECTORS; j++) {
            sum[t][j] = zero();
        }
        for (int o = 0; o < TILE_ROWS; o += LINE / 4) { /* will be wanted at the end */
            __builtin_prefetch(y + (size_t)t * y_stride + o, 1);
        }
    }
    for (int k = 0; k < depth; k++) {
        UNROLL
        for (int j = 0; j < TILE_VECTORS; j++) {
            weights[j] = load(panel + j * LANES);
        }
        if (streamed) {
            ask_ahead(panel, TILE_ROWS * sizeof *panel);
        }
        panel += panel_stride;
        UNROLL
        for (int t = 0; t < n_tokens; t++) {
            vector activation = broadcast(x[(size_t)t * x_stride + (size_t)k]);
            UNROLL
            for (int j = 0; j < TILE_VECTORS; j++) {
                sum[t][j] = multiply_add(weights[j], activation, sum[t][j]);
            }
        }
    }
    UNROLL
    for (int t = 0; t < n_tokens; t++) {
        float *y_t = y + (size_t)t * y_stride;
        const float *start = bias != NULL ? bias : y_t;
        UNROLL
        for (int j = 0; j < TILE_VECTORS; j++) {
            int o = j * LANES, n = n_rows - o;
            if (n >= LANES) {
                store(y_t + o, add(load(start + o), sum[t][j]));
            } else if (n > 0) {
                store_first(y_t + o, add(load_first(start + o, n), sum[t][j]), n);
            }
        }
    }
}

INLINE void tile_of(const bool streamed, float *y, size_t y_stride, const float *bias, const float *x,
                    size_t x_stride, const float *panel, size_t panel_stride, int depth, int n_tokens,
                    int n_rows)
{
#define TILE(n)                                                                                              \
    case n: many_tile(n, streamed, y, y_stride, bias, x, x_stride, panel, panel_stride, depth, n_rows); break;
    switch (n_tokens) {
        TILE(1)
        TILE(2)
        TILE(3)
        TILE(4)
        TILE(5)
        TILE(6)
#if TILE_TOKENS > 6
        TILE(7)
        TILE(8)
        TILE(9)
        TILE(10)
        TILE(11)
        TILE(12)
        TILE(13)
        TILE(14)
#endif
    }
#undef TILE
}

static void many_multiply(float *y, size_t y_stride, const float *bias, const float *x, size_t x_stride,
                          const float *panel, size_t panel_stride, int depth, int n_tokens, int n_rows)
{
    tile_of(false, y, y_stride, bias, x, x_stride, panel, panel_stride, depth, n_tokens, n_rows);
}

static void many(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens, int first,
                 int end)
{
    static const struct matmul_tile tile = {TILE_TOKENS, TILE_ROWS, pack, NULL, many_multiply};
    matmul_blocked(&tile, part, x, x_stride, n_tokens, first, end);
}

/* ---- What attention mixes values with: the same tiles, fed from float32 that lies as it is needed ---- */

static void mix_multiply(float *y, size_t y_stride, const float *bias, const float *x, size_t x_stride,
                         const float *panel, size_t panel_stride, int depth, int n_tokens, int n_rows)
{
    (void)x_stride; /* that of the copy, known here: simpler addresses */
    tile_of(true, y, y_stride, bias, x, MATMUL_X_STRIDE, panel, panel_stride, depth, n_tokens, n_rows);
}

static void pack_values(float *panel, const struct tensor *v, int first, int from, int depth)
{
    const float *start = (const float *)v->data + (size_t)from * (size_t)v->cols + first;
    int n = v->cols - first;
    for (int k = 0; k < depth; k++) {
        UNROLL
        for (int j = 0; j < TILE_VECTORS; j++) {
            int left = n - j * LANES;
            const float *row = start + (size_t)k * (size_t)v->cols + j * LANES;
            vector some = left >= LANES ? load(row) : left > 0 ? load_first(row, left) : zero();
            store(panel + k * TILE_ROWS + j * LANES, some);
        }
    }
}

static void add_mixed(float *y, size_t y_stride, const float *x, size_t x_stride, const struct tensor *v,
                      int n_rows)
{
    static const struct matmul_tile tile = {TILE_TOKENS, TILE_ROWS, pack_values, NULL, mix_multiply};
    matmul_blocked_mix(&tile, y, y_stride, x, x_stride, v, n_rows);
}

/* ---- Scores of few queries: keys are read once, as they lie ---- */

enum { SCORE_KEYS = 8 };

INLINE void score_tile(const int n_keys, float *y, const float *x, const float *k, int dim)
{
    vector sum[SCORE_KEYS];
    UNROLL
    for (int s = 0; s < n_keys; s++) {
        sum[s] = zero();
    }
    int i = 0;
    for (; i + LANES <= dim; i += LANES) {
        vector query = load(x + i);
        UNROLL
        for (int s = 0; s < n_keys; s++) {
            sum[s] = multiply_add(load(k + (size_t)s * (size_t)dim + i), query, sum[s]);
        }
    }
    if (i < dim) {
        vector query = load_first(x + i, dim - i);
        UNROLL
        for (int s = 0; s < n_keys; s++) {
            sum[s] = multiply_add(load_first(k + (size_t)s * (size_t)dim + i, dim - i), query, sum[s]);
        }
    }
    if (n_keys == 1) {
        y[0] = add_lanes(sum[0]);
        return;
    }
    UNROLL
    for (int s = 0; s < n_keys; s += 4) {
        add_lanes_4(y + s, sum[s], sum[s + 1], sum[s + 2], sum[s + 3]);
    }
}

/* All queries use a few keys while these are in the first-level cache. Each asks for its share of the keys that come: in
 * bursts the requests would be dropped. */
static void score_few(float *y, size_t y_stride, const float *x, size_t x_stride, const struct tensor *k,
                      int n_rows)
{
    const size_t dim = (size_t)k->cols;
    int s = 0;
    for (; s + SCORE_KEYS <= k->rows; s += SCORE_KEYS) {
        const float *keys = (const float *)k->data + (size_t)s * dim;
        for (int t = 0; t < n_rows; t++) {
            for (int i = t; i < SCORE_KEYS; i += n_rows) {
                ask_ahead(keys + (size_t)i * dim, dim * sizeof *keys);
            }
            score_tile(SCORE_KEYS, y + (size_t)t * y_stride + s, x + (size_t)t * x_stride, keys, k->cols);
        }
    }
    for (; s < k->rows; s++) {
        const float *key = (const float *)k->data + (size_t)s * dim;
        for (int t = 0; t < n_rows; t++) {
            score_tile(1, y + (size_t)t * y_stride + s, x + (size_t)t * x_stride, key, k->cols);
        }
    }
}

/* ---- Vectors ---- */
#endif
