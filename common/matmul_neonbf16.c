/* The kernel of arm64 machines that multiply bfloat16, for many tokens and bfloat16 weights; all else is left to the NEON
 * kernel.
 *
 * One instruction (BFMMLA) takes 4 columns of 2 tokens and of 2 rows of W and adds 4 products to each of 4 float32:
 *
 *     x[t, k..k+3]         w[i, k..k+3]                sum[t, i]    sum[t, i+1]
 *     x[t+1, k..k+3]       w[i+1, k..k+3]     ->       sum[t+1, i]  sum[t+1, i+1]
 *
 * That is four times the products of a float32 instruction. Weights stay as they are in the file; a panel holds, for each
 * four columns, 8 pairs of rows side by side. An activation becomes hi + lo, two bfloat16 (bf16.h), each multiplied with
 * the weight; or, rounded, one. The tile is that of NEON: 6 tokens x 16 rows, 24 sums. */
#include "common/matmul_kernels.h"

#if defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC) && defined(__aarch64__) && defined(__linux__)

#include <arm_neon.h>
#include <asm/hwcap.h>
#include <string.h>
#include <sys/auxv.h>

#include "common/require.h"

enum {
    COLUMNS = 4, /* that an instruction takes */
    TILE_TOKENS = 6,
    TILE_ROWS = 16,
    ROW_PAIRS = TILE_ROWS / 2,
    PAIR = 4,                /* 32-bit words of two rows (or tokens) x COLUMNS */
    LOWER = MATMUL_DEPTH / 2 /* where the row of a tile holds lo */
};

static bool usable(void)
{
    return (getauxval(AT_HWCAP2) & HWCAP2_BF16) != 0;
}

/* ---- Packing ---- */

/* Word (k / COLUMNS * ROW_PAIRS + i / 2) * PAIR of the panel begins the pair of rows first + i and first + i + 1 at column
 * from + k. */
static void pack(float *panel, const struct tensor *w, int first, int from, int depth)
{
    for (int i = 0; i < TILE_ROWS; i++) {
        float *to = panel + i / 2 * PAIR + i % 2 * (PAIR / 2);
        const unsigned char *row = first + i < w->rows ? matmul_address(w, first + i, from) : NULL;
        for (int k = 0; k < depth; k += COLUMNS, to += ROW_PAIRS * PAIR) {
            uint16_t weights[COLUMNS] = {0};
            if (row != NULL) {
                int n = depth - k < COLUMNS ? depth - k : COLUMNS;
                memcpy(weights, row + (size_t)k * sizeof *weights, (size_t)n * sizeof *weights);
            }
            memcpy(to, weights, sizeof weights);
        }
    }
}

INLINE float32x4_t load_first(const float *x, int n)
{
    float values[COLUMNS] = {0};
    memcpy(values, x, (size_t)(n < COLUMNS ? n : COLUMNS) * sizeof *values);
    return vld1q_f32(values);
}

INLINE void store(float *to, bfloat16x4_t v)
{
    memcpy(to, &v, sizeof v);
}

static void load_one_term(float *tile_row, const float *x, int depth)
{
    for (int k = 0; k < depth; k += COLUMNS) {
        store(tile_row + k / 2, vcvt_bf16_f32(load_first(x + k, depth - k)));
    }
}

/* hi is x rounded, lo the rest rounded: together 16 bits or more. */
static void load_two_terms(float *tile_row, const float *x, int depth)
{
    for (int k = 0; k < depth; k += COLUMNS) {
        float32x4_t value = load_first(x + k, depth - k);
        bfloat16x4_t hi = vcvt_bf16_f32(value);
        store(tile_row + k / 2, hi);
        store(tile_row + LOWER + k / 2, vcvt_bf16_f32(vsubq_f32(value, vcvt_f32_bf16(hi))));
    }
}

/* ---- The tile ---- */

INLINE bfloat16x8_t load_rows(const float *pair)
{
    return vreinterpretq_bf16_f32(vld1q_f32(pair));
}

INLINE bfloat16x8_t load_tokens(const float *x)
{
    return vreinterpretq_bf16_f32(vcombine_f32(vld1_f32(x), vld1_f32(x + MATMUL_X_STRIDE)));
}

/* sum holds rows i .. i+3 of a token, to is where they go. */
INLINE void add_to(float *to, const float *start, float32x4_t sum, int n_rows)
{
    if (n_rows >= 4) {
        vst1q_f32(to, vaddq_f32(vld1q_f32(start), sum));
    } else if (n_rows > 0) {
        float values[4];
        vst1q_f32(values, vaddq_f32(load_first(start, n_rows), sum));
        memcpy(to, values, (size_t)n_rows * sizeof *to);
    }
}

/* Where n_tokens is odd the last pair's second token is whatever its place in the tile holds: it adds to no other sum. */
INLINE void many_tile(const int n_terms, const int n_pairs, float *y, size_t y_stride, const float *bias,
                      const float *x, const float *panel, int depth, int n_tokens, int n_rows)
{
    float32x4_t sum[TILE_TOKENS / 2][ROW_PAIRS];
    UNROLL
    for (int p = 0; p < n_pairs; p++) {
        UNROLL
        for (int j = 0; j < ROW_PAIRS; j++) {
            sum[p][j] = vdupq_n_f32(0);
        }
    }
    for (int k = 0; k < depth; k += COLUMNS, panel += ROW_PAIRS * PAIR) {
        UNROLL
        for (int term = 0; term < n_terms; term++) {
            bfloat16x8_t activations[TILE_TOKENS / 2];
            UNROLL
            for (int p = 0; p < n_pairs; p++) {
                activations[p] = load_tokens(x + 2 * p * MATMUL_X_STRIDE + term * LOWER + k / 2);
            }
            UNROLL
            for (int j = 0; j < ROW_PAIRS; j++) {
                bfloat16x8_t rows = load_rows(panel + j * PAIR);
                UNROLL
                for (int p = 0; p < n_pairs; p++) {
                    sum[p][j] = vbfmmlaq_f32(sum[p][j], activations[p], rows);
                }
            }
        }
    }
    UNROLL
    for (int p = 0; p < n_pairs; p++) {
        float *y_t = y + (size_t)(2 * p) * y_stride;
        UNROLL
        for (int j = 0; j < ROW_PAIRS; j += 2) {
            int o = 2 * j;
            float32x4_t first = vcombine_f32(vget_low_f32(sum[p][j]), vget_low_f32(sum[p][j + 1]));
            float32x4_t second = vcombine_f32(vget_high_f32(sum[p][j]), vget_high_f32(sum[p][j + 1]));
            add_to(y_t + o, (bias != NULL ? bias : y_t) + o, first, n_rows - o);
            if (2 * p + 1 < n_tokens) {
                float *y_next = y_t + y_stride;
                add_to(y_next + o, (bias != NULL ? bias : y_next) + o, second, n_rows - o);
            }
        }
    }
}

/* 9 tokens, the fewest, are tiles of 5 and 4; no number of tokens has a smaller one. */
#define MULTIPLY(name, terms)                                                                                \
    static void name(float *y, size_t y_stride, const float *bias, const float *x, size_t x_stride,          \
                     const float *panel, size_t panel_stride, int depth, int n_tokens, int n_rows)           \
    {                                                                                                        \
        (void)x_stride, (void)panel_stride; /* both are packed */                                            \
        switch ((n_tokens + 1) / 2) {                                                                        \
            TILE(terms, 2)                                                                                   \
            TILE(terms, 3)                                                                                   \
        default: REQUIRE(false);                                                                             \
        }                                                                                                    \
    }
#define TILE(terms, n)                                                                                       \
    case n: many_tile(terms, n, y, y_stride, bias, x, panel, depth, n_tokens, n_rows); break;
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

const struct matmul_kernel matmul_neonbf16 = {.name = "neonbf16",
                                              .built_in = true,
                                              .usable = usable,
                                              .base = &matmul_neon,
                                              .n_few = 8,
                                              .many = many,
                                              .many_bf16 = many_bf16};

#else

const struct matmul_kernel matmul_neonbf16 = {.name = "neonbf16"};

#endif
