/* The AMX kernel, for many tokens and bfloat16 weights; all else is left to the AVX-512 kernel.
 *
 * AMX has eight tile registers of 16 rows x 64 bytes and one instruction: with A of 16 rows of 32 bfloat16, B of 16 rows
 * of 16 pairs of bfloat16 and C of 16 x 16 float32,
 *
 *     C[m][n] += sum_k A[m][2k] B[k][2n] + A[m][2k+1] B[k][2n+1]
 *
 * A is 16 rows x 32 columns of W as they lie in memory: the load takes the distance between rows. B is 16 tokens, packed:
 * row k holds activations 2k and 2k+1 of every token. Two A and two B make four C, so every load serves twice:
 *
 *               tokens 0..15   16..31
 *     W  0..15       C0          C1          an activation is hi + lo, two bfloat16 (bf16.h): each k is multiplied
 *     W 16..31       C2          C3          twice, with the B of hi and with the B of lo; or, rounded, once
 *
 * Written for Sapphire Rapids and later; the arithmetic is tested with emulated tiles (tests/test_matmul_amx.c), its speed
 * has not been tried. */
#define _GNU_SOURCE /* syscall */
#include "common/matmul_kernels.h"

#if defined(__AMX_BF16__) && defined(__AVX512BF16__) && defined(__AVX512BW__) && defined(__linux__)

#include <cpuid.h>
#include <immintrin.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UNROLL _Pragma("GCC unroll 16")

enum {
    SIDE = 16,   /* of a tile: rows of A and C, tokens of B, floats of a row of C */
    K_STEP = 32, /* columns of W in one A */
    TILE_BYTES = 1024,
    BLOCK_TOKENS = 256,
    BLOCK_DEPTH = 512,
    BLOCK_TILES = BLOCK_TOKENS / SIDE * (BLOCK_DEPTH / K_STEP)
};

/* A thread's own: the B tiles of one block of activations, [term][16 tokens][32 k]: 512 kB. */
static _Thread_local alignas(64) unsigned char packed[2][BLOCK_TILES][TILE_BYTES];

/* The system must let a process use the tiles' 8 kB of state. */
static bool usable(void)
{
    enum { LEAF = 7, AMX_BF16 = 1 << 22, AMX_TILE = 1 << 24, REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 };
    unsigned a, b, c, d;
    if (!matmul_avx512bf16.built_in || !matmul_avx512bf16.usable() ||
        !__get_cpuid_count(LEAF, 0, &a, &b, &c, &d)) {
        return false;
    }
    return (d & AMX_BF16) != 0 && (d & AMX_TILE) != 0 &&
           syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0;
}

/* gcc 12's tile loads do not tell the compiler that they read memory: without this it may drop what was written for
 * them, or write it later. */
static void finish_writing(void)
{
    __asm__ volatile("" ::: "memory");
}

/* All eight registers in full size. */
static void configure(void)
{
    struct {
        uint8_t palette, start_row, reserved[14];
        uint16_t bytes_per_row[16];
        uint8_t rows[16];
    } config = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        config.bytes_per_row[i] = 64;
        config.rows[i] = SIDE;
    }
    finish_writing();
    _tile_loadconfig(&config);
}

/* ---- Activations: B ---- */

static void transpose(__m512i v[SIDE])
{
    __m512i a[SIDE];
    UNROLL
    for (int i = 0; i < SIDE; i += 2) { /* rows 0 1, 2 3, … interleaved */
        a[i] = _mm512_unpacklo_epi32(v[i], v[i + 1]);
        a[i + 1] = _mm512_unpackhi_epi32(v[i], v[i + 1]);
    }
    UNROLL
    for (int i = 0; i < SIDE; i += 4) { /* v[i + c]: columns c, 4 + c, 8 + c, 12 + c of rows i .. i + 3 */
        v[i] = _mm512_unpacklo_epi64(a[i], a[i + 2]);
        v[i + 1] = _mm512_unpackhi_epi64(a[i], a[i + 2]);
        v[i + 2] = _mm512_unpacklo_epi64(a[i + 1], a[i + 3]);
        v[i + 3] = _mm512_unpackhi_epi64(a[i + 1], a[i + 3]);
    }
    UNROLL
    for (int i = 0; i < 4; i++) { /* the same with quarters of a vector in place of lanes */
        __m512i low01 = _mm512_shuffle_i32x4(v[i], v[4 + i], 0x44);
        __m512i high01 = _mm512_shuffle_i32x4(v[i], v[4 + i], 0xee);
        __m512i low23 = _mm512_shuffle_i32x4(v[8 + i], v[12 + i], 0x44);
        __m512i high23 = _mm512_shuffle_i32x4(v[8 + i], v[12 + i], 0xee);
        a[i] = _mm512_shuffle_i32x4(low01, low23, 0x88);
        a[4 + i] = _mm512_shuffle_i32x4(low01, low23, 0xdd);
        a[8 + i] = _mm512_shuffle_i32x4(high01, high23, 0x88);
        a[12 + i] = _mm512_shuffle_i32x4(high01, high23, 0xdd);
    }
    UNROLL
    for (int i = 0; i < SIDE; i++) {
        v[i] = a[i];
    }
}

static __m512 load_first(const float *x, int n)
{
    __mmask16 mask = n >= SIDE ? 0xffff : n > 0 ? (__mmask16)((1U << n) - 1) : 0;
    return _mm512_maskz_loadu_ps(mask, x);
}

/* 32 activations, the first 16 in low, as bfloat16 in their order. */
static __m512i rounded(__m512 low, __m512 high)
{
    return (__m512i)_mm512_cvtne2ps_pbh(high, low);
}

static __m512 rest(__m512 x, __m256i hi)
{
    return _mm512_sub_ps(x, _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(hi), 16)));
}

/* The B tile of up to 16 tokens and up to 32 k, and the one of their second terms. */
static void pack_tile(unsigned char *hi_tile, unsigned char *lo_tile, const float *x, size_t x_stride,
                      int n_tokens, int n_k)
{
    __m512i hi[SIDE], lo[SIDE];
    for (int t = 0; t < SIDE; t++) {
        int n = t < n_tokens ? n_k : 0;
        const float *row = n > 0 ? x + (size_t)t * x_stride : x;
        __m512 low = load_first(row, n), high = load_first(n > SIDE ? row + SIDE : row, n - SIDE);
        hi[t] = rounded(low, high);
        lo[t] = rounded(rest(low, _mm512_castsi512_si256(hi[t])),
                        rest(high, _mm512_extracti64x4_epi64(hi[t], 1)));
    }
    transpose(hi);
    transpose(lo);
    for (int k = 0; k < SIDE; k++) {
        _mm512_storeu_si512(hi_tile + 64 * k, hi[k]);
        _mm512_storeu_si512(lo_tile + 64 * k, lo[k]);
    }
}

/* n_tokens and depth up to those of a block; tokens that are missing in the last pair of tiles are zeros. */
static void pack_block(const float *x, size_t x_stride, int n_tokens, int depth)
{
    for (int t = 0; t < n_tokens; t += 2 * SIDE) {
        for (int half = 0; half < 2; half++) {
            int first = t + half * SIDE, n = n_tokens - first < SIDE ? n_tokens - first : SIDE;
            for (int k = 0; k < depth; k += K_STEP) {
                int tile = first / SIDE * (BLOCK_DEPTH / K_STEP) + k / K_STEP;
                const float *from = n > 0 ? x + (size_t)first * x_stride + k : x;
                pack_tile(packed[0][tile], packed[1][tile], from, x_stride, n,
                          depth - k < K_STEP ? depth - k : K_STEP);
            }
        }
    }
}

/* ---- Weights: A ---- */

/* Where to load 16 rows x 32 columns from: in place, or, where some are missing, from a copy filled up with zeros. */
static const unsigned char *tile_of_weights(unsigned char copy[TILE_BYTES], size_t *stride,
                                            const struct tensor *w, int row, int col, int n_cols)
{
    *stride = 2 * (size_t)w->cols;
    if (row + SIDE <= w->rows && n_cols == K_STEP) {
        return matmul_address(w, row, col);
    }
    memset(copy, 0, TILE_BYTES);
    for (int i = 0; i < SIDE && row + i < w->rows; i++) {
        memcpy(copy + 64 * i, matmul_address(w, row + i, col), 2 * (size_t)n_cols);
    }
    *stride = 64;
    return copy;
}

/* ---- Sums: C ---- */

/* Adds C, [16 rows of W][16 tokens], to y, [tokens][rows of W]. */
static void add_tile(float *y, size_t y_stride, const float *bias, const float *sums, int n_tokens,
                     int n_rows)
{
    __m512i v[SIDE];
    __mmask16 mask = n_rows >= SIDE ? 0xffff : (__mmask16)((1U << n_rows) - 1);
    for (int i = 0; i < SIDE; i++) {
        v[i] = _mm512_loadu_si512(sums + SIDE * i);
    }
    transpose(v);
    for (int t = 0; t < n_tokens && t < SIDE; t++) {
        float *y_t = y + (size_t)t * y_stride;
        __m512 start = _mm512_maskz_loadu_ps(mask, bias != NULL ? bias : y_t);
        _mm512_mask_storeu_ps(y_t, mask, _mm512_add_ps(start, _mm512_castsi512_ps(v[t])));
    }
}

/* Rows row .. row+31 of W times tokens t .. t+31 of the packed block. */
static void multiply_tiles(const struct tensor *w, int row, int from, int depth, int t, int n_terms,
                           float sums[4][SIDE * SIDE])
{
    alignas(64) unsigned char copy[2][TILE_BYTES];
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (int k = 0; k < depth; k += K_STEP) {
        int n = depth - k < K_STEP ? depth - k : K_STEP;
        size_t stride[2];
        const unsigned char *upper = tile_of_weights(copy[0], &stride[0], w, row, from + k, n);
        const unsigned char *lower = tile_of_weights(copy[1], &stride[1], w, row + SIDE, from + k, n);
        int tile = t / SIDE * (BLOCK_DEPTH / K_STEP) + k / K_STEP;
        finish_writing();
        _tile_loadd(4, upper, stride[0]);
        _tile_loadd(5, lower, stride[1]);
        for (int term = 0; term < n_terms; term++) {
            _tile_loadd(6, packed[term][tile], 64);
            _tile_loadd(7, packed[term][tile + BLOCK_DEPTH / K_STEP], 64);
            _tile_dpbf16ps(0, 4, 6);
            _tile_dpbf16ps(1, 4, 7);
            _tile_dpbf16ps(2, 5, 6);
            _tile_dpbf16ps(3, 5, 7);
        }
    }
    _tile_stored(0, sums[0], 64);
    _tile_stored(1, sums[1], 64);
    _tile_stored(2, sums[2], 64);
    _tile_stored(3, sums[3], 64);
}

static void multiply_block(const struct matmul_part *part, int n_terms, int from, int depth, int first_token,
                           int n_tokens, int first, int end)
{
    const struct tensor *w = part->w;
    alignas(64) float sums[4][SIDE * SIDE];
    for (int row = first; row < end; row += 2 * SIDE) {
        float bias[2 * SIDE] = {0};
        for (int i = 0; i < 2 * SIDE && row + i < end && tensor_present(part->bias); i++) {
            bias[i] = tensor_at(part->bias, 0, row + i);
        }
        for (int t = 0; t < n_tokens; t += 2 * SIDE) {
            multiply_tiles(w, row, from, depth, t, n_terms, sums);
            for (int i = 0; i < 4; i++) {
                int below = i / 2 * SIDE, right = i % 2 * SIDE;
                if (row + below < end && t + right < n_tokens) {
                    float *y =
                        part->y + (size_t)(first_token + t + right) * part->y_stride + (size_t)(row + below);
                    add_tile(y, part->y_stride, from == 0 ? bias + below : NULL, sums[i],
                             n_tokens - t - right, end - row - below);
                }
            }
        }
    }
}

static void multiply(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens, int first,
                     int end, int n_terms)
{
    const struct tensor *w = part->w;
    configure();
    for (int t = 0; t < n_tokens; t += BLOCK_TOKENS) {
        int n = n_tokens - t < BLOCK_TOKENS ? n_tokens - t : BLOCK_TOKENS;
        for (int from = 0; from < w->cols; from += BLOCK_DEPTH) {
            int depth = w->cols - from < BLOCK_DEPTH ? w->cols - from : BLOCK_DEPTH;
            pack_block(x + (size_t)t * x_stride + from, x_stride, n, depth);
            multiply_block(part, n_terms, from, depth, t, n, first, end);
        }
    }
    _tile_release();
}

static void many(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens, int first,
                 int end)
{
    multiply(part, x, x_stride, n_tokens, first, end, 2);
}

static void many_bf16(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens,
                      int first, int end)
{
    multiply(part, x, x_stride, n_tokens, first, end, 1);
}

const struct matmul_kernel matmul_amx = {.name = "amx",
                                         .built_in = true,
                                         .usable = usable,
                                         .base = &matmul_avx512,
                                         .n_few = 16,
                                         .many = many,
                                         .many_bf16 = many_bf16};

#else

const struct matmul_kernel matmul_amx = {.name = "amx"};

#endif
