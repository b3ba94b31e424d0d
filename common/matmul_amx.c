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
 * A product takes 16 cycles, a load 8 and more where its lines come from L2. So the loops keep near what they load:
 *
 *     for each block of columns: pack x                        B: 448 columns of 256 tokens, 448 kB: stays in L2
 *         for each strip of 32 rows                            A: 28 kB: stays in L1; the next strip is prefetched
 *             for each group of 32 tokens: multiply, add to C  the sums: 1 MB for 1024 rows: stay in L2
 *
 * L2 is 2 MB. Per product of two tiles 512 bytes come from it, 32 a cycle of the 64 (sustained 48) that it can give: A is
 * near, B of 1 kB serves two products. With two terms 32 columns are 6 loads and 8 products, with one 4 and 4. A block's
 * sums are loaded and stored once in 14 x 8 products (14 x 4); they are carried as tiles and turned once, at the end.
 * 512 tokens are two blocks, together 896 kB in two terms; threads share the blocks. With more tokens in a block W would be
 * read less often, but the sums of as many rows would not fit, and with fewer rows x would be packed more often: to pack 512
 * activations in two terms takes some 200 shuffles of a cycle each, to multiply them with 1024 rows 2048 cycles.
 *
 * Written for Sapphire Rapids and later. What it computes is tested with emulated tiles (tests/test_matmul_amx.c); how
 * fast it is has not been tried: the figures above are arithmetic. */
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

#include "common/matmul_transpose.h"
#include "common/require.h"

enum {
    SIDE = 16,   /* of a tile: rows of A and C, tokens of B, floats of a row of C */
    PAIR = 32,   /* two of them: rows of a strip, tokens of a group */
    K_STEP = 32, /* columns of W in one A */
    TILE_BYTES = 1024,
    BLOCK_TOKENS = 256,
    BLOCK_DEPTH = 448,
    BLOCK_ROWS = 1024, /* of one part, or half as many of gate and of up */
    SUMS = PAIR * PAIR,
    SAME_LINES = 2048 /* bytes: of rows so far apart 16, or 32, share lines of L1 where 12 fit */
};

#include "common/matmul_amx_pack.h" /* after the sizes */

/* A thread's own: the sums of a block between one block of columns and the next, four tiles C0 .. C3 a group. */
static _Thread_local alignas(64) float carried[BLOCK_ROWS / PAIR][BLOCK_TOKENS / PAIR][SUMS];

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

/* gcc's tile loads do not tell the compiler that they read memory: without this it may drop what was written for them, or
 * write it later. */
static void finish_writing(const void *written)
{
    __asm__ volatile("" ::"r"(written) : "memory");
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
    finish_writing(&config);
    _tile_loadconfig(&config);
}

/* ---- Weights: A ---- */

/* 32 rows of W in a block of columns, and those that come next. */
struct strip {
    const unsigned char *rows, *ahead;
    size_t stride, ahead_stride; /* bytes */
    int n_ahead;                 /* rows that come next; 0: none */
};

/* In place, or in a copy: where rows or columns are missing and zeros stand for them, and where rows in place would push
 * each other out of L1. */
static void place_strip(struct strip *strip, unsigned char copy[PAIR][2 * BLOCK_DEPTH],
                        const struct tensor *w, int row, int from, int depth)
{
    strip->rows = matmul_address(w, row, from);
    strip->stride = 2 * (size_t)w->cols;
    if (row + PAIR > w->rows || depth % K_STEP != 0 || strip->stride % SAME_LINES == 0) {
        memset(copy, 0, PAIR * sizeof *copy);
        for (int i = 0; i < smaller(PAIR, w->rows - row); i++) {
            memcpy(copy[i], matmul_address(w, row + i, from), 2 * (size_t)depth);
        }
        strip->rows = copy[0];
        strip->stride = sizeof *copy;
    }
}

/* ---- Sums: C ---- */

/* One group of tokens: a strip's C, from zero or from sums, and back to sums. Of the strip that comes next, prefetches
 * row_ahead and the n_ahead - 1 after it. */
static void multiply_group(float *sums, bool from_zero, const struct strip *strip, const unsigned char *b,
                           int n_steps, int n_terms, int row_ahead, int n_ahead)
{
    const unsigned char *a = strip->rows;
    finish_writing(a);
    if (from_zero) {
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
    } else {
        _tile_loadd(0, sums, 64);
        _tile_loadd(1, sums + SIDE * SIDE, 64);
        _tile_loadd(2, sums + 2 * SIDE * SIDE, 64);
        _tile_loadd(3, sums + 3 * SIDE * SIDE, 64);
    }
    for (int step = 0; step < n_steps; step++, a += 64) {
        for (int i = 0; i < n_ahead; i++) {
            __builtin_prefetch(strip->ahead + (size_t)(row_ahead + i) * strip->ahead_stride + 64 * step, 0,
                               2);
        }
        _tile_loadd(4, a, strip->stride);
        _tile_loadd(5, a + SIDE * strip->stride, strip->stride);
        for (int term = 0; term < n_terms; term++, b += 2 * TILE_BYTES) {
            _tile_loadd(6, b, 64);
            _tile_loadd(7, b + TILE_BYTES, 64);
            _tile_dpbf16ps(0, 4, 6);
            _tile_dpbf16ps(1, 4, 7);
            _tile_dpbf16ps(2, 5, 6);
            _tile_dpbf16ps(3, 5, 7);
        }
    }
    _tile_stored(0, sums, 64);
    _tile_stored(1, sums + SIDE * SIDE, 64);
    _tile_stored(2, sums + 2 * SIDE * SIDE, 64);
    _tile_stored(3, sums + 3 * SIDE * SIDE, 64);
}

/* y, [32 tokens][32 rows of W], is bias + C. */
static void turn(float y[SUMS], const float sums[SUMS], const float bias[PAIR])
{
    for (int tile = 0; tile < 4; tile++) {
        int below = tile / 2 * SIDE, right = tile % 2 * SIDE;
        __m512i v[SIDE];
        for (int i = 0; i < SIDE; i++) {
            v[i] = _mm512_loadu_si512(sums + tile * SIDE * SIDE + SIDE * i);
        }
        transpose_words(v);
        for (int t = 0; t < SIDE; t++) {
            _mm512_storeu_ps(y + (right + t) * PAIR + below,
                             _mm512_add_ps(_mm512_castsi512_ps(v[t]), _mm512_loadu_ps(bias + below)));
        }
    }
}

/* One block of columns and all tokens; rows first .. end-1 of one part, or of gate and up. */
struct block {
    const struct matmul_part *parts;
    int n_parts, n_tokens, first, end, from, depth, n_terms;
};

/* The end of a group: its sums are those of part 0 and, in the next slots, of part 1. Gate times up is made here, while both
 * are near; up is not written. */
static void write_group(const struct block *block, int row, int t, float (*sums)[BLOCK_TOKENS / PAIR][SUMS],
                        float bias[2][PAIR])
{
    const struct matmul_part *part = &block->parts[0];
    alignas(64) float y[2][SUMS];
    for (int p = 0; p < block->n_parts; p++) {
        turn(y[p], sums[p][t / PAIR], bias[p]);
    }
    if (block->n_parts == 2) {
        matmul_avx512.silu_multiply(y[0], y[1], SUMS);
    }
    int n_rows = smaller(PAIR, block->end - row);
    __mmask16 left = (__mmask16)((1U << smaller(SIDE, n_rows)) - 1);
    __mmask16 right = n_rows > SIDE ? (__mmask16)((1U << (n_rows - SIDE)) - 1) : 0;
    for (int i = 0; i < smaller(PAIR, block->n_tokens - t); i++) {
        float *to = part->y + (size_t)(t + i) * part->y_stride + row;
        _mm512_mask_storeu_ps(to, left, _mm512_load_ps(y[0] + i * PAIR));
        _mm512_mask_storeu_ps(n_rows > SIDE ? to + SIDE : to, right, _mm512_load_ps(y[0] + i * PAIR + SIDE));
    }
}

/* What is multiplied after this strip: the same rows of the next part, or the next rows. */
static void look_ahead(struct strip *strip, const struct block *block, int row, int p)
{
    bool last_part = p + 1 == block->n_parts;
    const struct tensor *w = block->parts[last_part ? 0 : p + 1].w;
    int next = last_part ? row + PAIR : row;
    strip->n_ahead = next < block->end ? smaller(PAIR, block->end - next) : 0;
    strip->ahead = strip->n_ahead > 0 ? matmul_address(w, next, block->from) : NULL;
    strip->ahead_stride = 2 * (size_t)w->cols;
}

static void multiply_block(const struct block *block)
{
    alignas(64) unsigned char copy[PAIR][2 * BLOCK_DEPTH];
    bool first_block = block->from == 0, last_block = block->from + block->depth == block->parts[0].w->cols;
    int n_steps = (block->depth + K_STEP - 1) / K_STEP, n_groups = (block->n_tokens + PAIR - 1) / PAIR;
    for (int row = block->first, slot = 0; row < block->end; row += PAIR, slot += block->n_parts) {
        float bias[2][PAIR] = {{0}};
        for (int p = 0; p < block->n_parts; p++) {
            struct strip strip;
            place_strip(&strip, copy, block->parts[p].w, row, block->from, block->depth);
            look_ahead(&strip, block, row, p);
            const struct tensor *b = block->parts[p].bias;
            for (int i = 0; i < PAIR && row + i < block->end && tensor_present(b); i++) {
                bias[p][i] = tensor_at(b, 0, row + i);
            }
            for (int g = 0; g < n_groups; g++) {
                const unsigned char *packed = (const unsigned char *)matmul_panels +
                                              (size_t)(g * n_steps * block->n_terms) * 2 * TILE_BYTES;
                int ahead = strip.n_ahead * g / n_groups, ahead_end = strip.n_ahead * (g + 1) / n_groups;
                multiply_group(carried[slot + p][g], first_block, &strip, packed, n_steps, block->n_terms,
                               ahead, ahead_end - ahead);
                if (last_block && p + 1 == block->n_parts) {
                    write_group(block, row, g * PAIR, carried + slot, bias);
                }
            }
        }
    }
}

static void multiply(const struct matmul_part *parts, int n_parts, const float *x, size_t x_stride,
                     int n_tokens, int first, int end, int n_terms)
{
    int cols = parts[0].w->cols, n_blocks = 1 + (cols - 1) / BLOCK_DEPTH;
    int depth = (cols + n_blocks * K_STEP - 1) / (n_blocks * K_STEP) * K_STEP;
    REQUIRE(n_tokens <= BLOCK_TOKENS);
    configure();
    for (int row = first; row < end; row += BLOCK_ROWS / n_parts) {
        struct block block = {parts, n_parts, n_tokens, row, smaller(end, row + BLOCK_ROWS / n_parts),
                              0,     0,       n_terms};
        for (; block.from < cols; block.from += depth) {
            block.depth = smaller(depth, cols - block.from);
            pack_block(x + block.from, x_stride, n_tokens, block.depth, n_terms);
            multiply_block(&block);
        }
    }
    _tile_release();
}

static void many(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens, int first,
                 int end)
{
    multiply(part, 1, x, x_stride, n_tokens, first, end, 2);
}

static void many_bf16(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens,
                      int first, int end)
{
    multiply(part, 1, x, x_stride, n_tokens, first, end, 1);
}

static void gated(const struct matmul_part parts[2], const float *x, size_t x_stride, int n_tokens, int first,
                  int end)
{
    multiply(parts, 2, x, x_stride, n_tokens, first, end, 2);
}

static void gated_bf16(const struct matmul_part parts[2], const float *x, size_t x_stride, int n_tokens,
                       int first, int end)
{
    multiply(parts, 2, x, x_stride, n_tokens, first, end, 1);
}

const struct matmul_kernel matmul_amx = {.name = "amx",
                                         .built_in = true,
                                         .usable = usable,
                                         .base = &matmul_avx512,
                                         .n_few = 16,
                                         .max_tokens = BLOCK_TOKENS,
                                         .many = many,
                                         .many_bf16 = many_bf16,
                                         .gated = gated,
                                         .gated_bf16 = gated_bf16};

#else

const struct matmul_kernel matmul_amx = {.name = "amx"};

#endif
