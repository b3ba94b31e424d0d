/* The AVX-512 BF16 kernel, for many tokens and bfloat16 weights; all else is left to the AVX-512 kernel.
 *
 * One instruction multiplies 16 pairs of bfloat16 with 16 pairs and adds both products of each to a float32:
 *
 *     sum[i] += w[i, k] * x[t, k] + w[i, k+1] * x[t, k+1]             for 16 rows i
 *
 * Weights stay as they are in the file; a panel holds pairs, transposed:  w[0, k k+1]  w[1, k k+1]  …  w[31, k k+1].
 * An activation becomes hi + lo, two bfloat16 (bf16.h), each multiplied with the weight; or, rounded, one. With two terms
 * that is as many instructions as float32 needs, with one it is half. The tile is that of AVX-512: 14 tokens x 32 rows. */
#include "common/matmul_kernels.h"

#if defined(__AVX512BF16__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)

#include <immintrin.h>

#include "common/matmul_transpose.h"
#include "common/require.h"

enum {
    LANES = 16,
    TILE_TOKENS = 14,
    TILE_ROWS = 32,
    LOWER = MATMUL_DEPTH / 2 /* where the row of a tile holds lo */
};

static bool usable(void)
{
    return matmul_avx512.built_in && matmul_avx512.usable() && __builtin_cpu_supports("avx512bf16");
}

/* ---- Packing ---- */

/* 32-bit words of the panel are pairs: word k/2 * TILE_ROWS + i holds w[first + i, from + k] and its neighbour. */
static void pack(float *panel, const struct tensor *w, int first, int from, int depth)
{
    const size_t stride = 2 * (size_t)w->cols;
    for (int column = 0; column < TILE_ROWS; column += LANES) {
        const unsigned char *start = matmul_address(w, first + column, from);
        int n_rows = w->rows - first - column;
        for (int k = 0; k < depth; k += 2 * LANES) {
            __mmask32 mask = depth - k >= 2 * LANES ? 0xffffffff : (1U << (depth - k)) - 1;
            __m512i v[LANES];
            UNROLL
            for (int i = 0; i < LANES; i++) {
                const unsigned char *row = start + (size_t)i * stride + 2 * (size_t)k;
                __builtin_prefetch(row + 256);
                v[i] = i < n_rows ? _mm512_maskz_loadu_epi16(mask, row) : _mm512_setzero_si512();
            }
            transpose_words(v);
            UNROLL
            for (int i = 0; i < LANES; i++) {
                _mm512_storeu_si512(panel + (k / 2 + i) * TILE_ROWS + column, v[i]);
            }
        }
    }
}

INLINE __m512 load_first(const float *x, int n)
{
    return n >= LANES ? _mm512_loadu_ps(x) : _mm512_maskz_loadu_ps((__mmask16)((1U << n) - 1), x);
}

INLINE __m256i rounded(__m512 x)
{
    return (__m256i)_mm512_cvtneps_pbh(x);
}

static void load_one_term(float *tile_row, const float *x, int depth)
{
    for (int k = 0; k < depth; k += LANES) {
        _mm256_storeu_si256((__m256i *)(void *)(tile_row + k / 2), rounded(load_first(x + k, depth - k)));
    }
}

/* hi is x rounded, lo the rest rounded: together 16 bits or more. */
static void load_two_terms(float *tile_row, const float *x, int depth)
{
    for (int k = 0; k < depth; k += LANES) {
        __m512 value = load_first(x + k, depth - k);
        __m256i hi = rounded(value);
        __m512 widened = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(hi), 16));
        _mm256_storeu_si256((__m256i *)(void *)(tile_row + k / 2), hi);
        _mm256_storeu_si256((__m256i *)(void *)(tile_row + LOWER + k / 2),
                            rounded(_mm512_sub_ps(value, widened)));
    }
}

/* ---- The tile ---- */

INLINE __m512bh broadcast_pair(const float *pair)
{
    return (__m512bh)_mm512_castps_si512(_mm512_set1_ps(*pair));
}

INLINE __m512bh load_pairs(const float *panel)
{
    return (__m512bh)_mm512_loadu_si512(panel);
}

INLINE void many_tile(const int n_terms, const int n_tokens, float *y, size_t y_stride, const float *bias,
                      const float *x, const float *panel, int depth, int n_rows)
{
    __m512 sum[TILE_TOKENS][2];
    UNROLL
    for (int t = 0; t < n_tokens; t++) {
        sum[t][0] = sum[t][1] = _mm512_setzero_ps();
    }
    for (int pair = 0; pair < (depth + 1) / 2; pair++) {
        __m512bh w0 = load_pairs(panel + pair * TILE_ROWS), w1 = load_pairs(panel + pair * TILE_ROWS + LANES);
        UNROLL
        for (int term = 0; term < n_terms; term++) {
            UNROLL
            for (int t = 0; t < n_tokens; t++) {
                __m512bh activation = broadcast_pair(x + t * MATMUL_X_STRIDE + term * LOWER + pair);
                sum[t][0] = _mm512_dpbf16_ps(sum[t][0], w0, activation);
                sum[t][1] = _mm512_dpbf16_ps(sum[t][1], w1, activation);
            }
        }
    }
    __mmask16 mask0 = n_rows >= LANES ? 0xffff : (__mmask16)((1U << n_rows) - 1);
    __mmask16 mask1 = n_rows >= TILE_ROWS ? 0xffff
                      : n_rows > LANES    ? (__mmask16)((1U << (n_rows - LANES)) - 1)
                                          : 0;
    UNROLL
    for (int t = 0; t < n_tokens; t++) {
        float *y_t = y + (size_t)t * y_stride;
        const float *start = bias != NULL ? bias : y_t;
        __m512 y0 = _mm512_maskz_loadu_ps(mask0, start), y1 = _mm512_maskz_loadu_ps(mask1, start + LANES);
        _mm512_mask_storeu_ps(y_t, mask0, _mm512_add_ps(y0, sum[t][0]));
        _mm512_mask_storeu_ps(y_t + LANES, mask1, _mm512_add_ps(y1, sum[t][1]));
    }
}

/* 17 tokens, the fewest, are tiles of 9 and 8; no number of tokens has a smaller one. */
#define MULTIPLY(name, terms)                                                                                \
    static void name(float *y, size_t y_stride, const float *bias, const float *x, size_t x_stride,          \
                     const float *panel, size_t panel_stride, int depth, int n_tokens, int n_rows)           \
    {                                                                                                        \
        (void)x_stride, (void)panel_stride; /* both are packed */                                            \
        switch (n_tokens) {                                                                                  \
            TILE(terms, 8)                                                                                   \
            TILE(terms, 9)                                                                                   \
            TILE(terms, 10)                                                                                  \
            TILE(terms, 11)                                                                                  \
            TILE(terms, 12)                                                                                  \
            TILE(terms, 13)                                                                                  \
            TILE(terms, 14)                                                                                  \
        default: REQUIRE(false);                                                                             \
        }                                                                                                    \
    }
#define TILE(terms, n)                                                                                       \
    case n: many_tile(terms, n, y, y_stride, bias, x, panel, depth, n_rows); break;
MULTIPLY(multiply_one_term, 1)
MULTIPLY(multiply_two_terms, 2)

static void many(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens, int first,
                 int end)
{
    static const struct matmul_tile tile = {TILE_TOKENS, TILE_ROWS, pack, load_two_terms, multiply_two_terms};
    matmul_blocked(&tile, part, x, x_stride, n_tokens, first, end);
}

static void many_bf16(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens,
                      int first, int end)
{
    static const struct matmul_tile tile = {TILE_TOKENS, TILE_ROWS, pack, load_one_term, multiply_one_term};
    matmul_blocked(&tile, part, x, x_stride, n_tokens, first, end);
}

const struct matmul_kernel matmul_avx512bf16 = {.name = "avx512bf16",
                                                .built_in = true,
                                                .usable = usable,
                                                .base = &matmul_avx512,
                                                .n_few = 16,
                                                .many = many,
                                                .many_bf16 = many_bf16};

#else

const struct matmul_kernel matmul_avx512bf16 = {.name = "avx512bf16"};

#endif
