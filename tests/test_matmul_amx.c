/* The AMX kernel's arithmetic on machines without AMX: its file is compiled into this test with tile registers that are
 * arrays, and instructions that are loops as the instruction set reference defines them. Needs AVX-512 BF16. */
#define _GNU_SOURCE
#include "common/matmul_kernels.h"
#include "tests/support/test.h"

#if defined(__AMX_BF16__) && defined(__AVX512BF16__)

#include <immintrin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/bf16.h"
#include "common/rng.h"

static struct {
    unsigned char bytes[16][64];
} registers[8];

static void emulated_load(int tile, const void *from, size_t stride)
{
    for (int row = 0; row < 16; row++) {
        memcpy(registers[tile].bytes[row], (const unsigned char *)from + (size_t)row * stride, 64);
    }
}

static void emulated_store(int tile, void *to, size_t stride)
{
    for (int row = 0; row < 16; row++) {
        memcpy((unsigned char *)to + (size_t)row * stride, registers[tile].bytes[row], 64);
    }
}

static float element(int tile, int row, int i)
{
    uint16_t half;
    memcpy(&half, registers[tile].bytes[row] + 2 * i, sizeof half);
    return bf16_to_f32(half);
}

static void emulated_multiply(int c, int a, int b)
{
    for (int m = 0; m < 16; m++) {
        float sum[16];
        memcpy(sum, registers[c].bytes[m], sizeof sum);
        for (int k = 0; k < 16; k++) {
            for (int n = 0; n < 16; n++) {
                sum[n] += element(a, m, 2 * k) * element(b, k, 2 * n);
                sum[n] += element(a, m, 2 * k + 1) * element(b, k, 2 * n + 1);
            }
        }
        memcpy(registers[c].bytes[m], sum, sizeof sum);
    }
}

#undef _tile_loadconfig
#undef _tile_loadd
#undef _tile_stored
#undef _tile_zero
#undef _tile_dpbf16ps
#undef _tile_release
#define _tile_loadconfig(config)        ((void)(config))
#define _tile_loadd(tile, from, stride) emulated_load(tile, from, stride)
#define _tile_stored(tile, to, stride)  emulated_store(tile, to, stride)
#define _tile_zero(tile)                memset(&registers[tile], 0, sizeof registers[tile])
#define _tile_dpbf16ps(c, a, b)         emulated_multiply(c, a, b)
#define _tile_release()                 ((void)0)
#define matmul_amx                      matmul_amx_emulated
extern const struct matmul_kernel matmul_amx_emulated;
#include "common/matmul_amx.c"

/* Products that end inside a tile, a block or a pair of tiles in every direction, against float64. Whole numbers up to 8
 * need one bfloat16 term and are exact; others are held to 2^-17 with two terms and 2^-8 with one. */
static void check(int n_tokens, int rows, int cols, matmul_rows *multiply_rows, bool whole, double tolerance)
{
    struct rng rng;
    rng_init(&rng, (uint64_t)(n_tokens + 1000 * rows + 100000 * cols));
    size_t n_w = (size_t)rows * (size_t)cols, n_x = (size_t)n_tokens * (size_t)cols;
    size_t y_stride = (size_t)rows + 3;
    float *x = test_alloc(n_x * sizeof *x), *y = test_alloc((size_t)n_tokens * y_stride * sizeof *y);
    float *bias = test_alloc((size_t)rows * sizeof *bias);
    uint16_t *weights = test_alloc(n_w * sizeof *weights);
    for (size_t i = 0; i < n_x; i++) {
        x[i] = whole ? (float)(rng_below(&rng, 17) - 8) : (float)rng_normal(&rng);
    }
    for (size_t i = 0; i < n_w; i++) {
        weights[i] = bf16_from_f32(whole ? (float)(rng_below(&rng, 17) - 8) : (float)rng_normal(&rng));
    }
    rng_fill_normal(&rng, bias, (size_t)rows, 0);
    const struct tensor w = {weights, DTYPE_BF16, rows, cols}, b = tensor_f32(bias, 1, rows);
    const struct matmul_part part = {y, y_stride, &w, &b};
    multiply_rows(&part, x, (size_t)cols, n_tokens, 0, rows);
    for (int t = 0; t < n_tokens; t++) {
        for (int o = 0; o < rows; o++) {
            double sum = 0, magnitudes = 0;
            for (int i = 0; i < cols; i++) {
                double product = (double)x[t * cols + i] * (double)bf16_to_f32(weights[o * cols + i]);
                sum += product;
                magnitudes += fabs(product);
            }
            double error = fabs((double)y[(size_t)t * y_stride + (size_t)o] - sum);
            ck_assert_msg(error <= tolerance * magnitudes, "%d x %d x %d: y[%d, %d]: error %.3g > %.3g",
                          n_tokens, rows, cols, t, o, error, tolerance * magnitudes);
        }
    }
    free(x);
    free(y);
    free(bias);
    free(weights);
}

static const int sizes[][3] = {{17, 1, 1},    {32, 32, 32},  {33, 31, 33},  {18, 48, 64},    {40, 17, 100},
                               {64, 65, 511}, {20, 40, 513}, {257, 33, 70}, {300, 20, 1025}, {31, 64, 7}};

START_TEST(tiles_agree_with_float64)
{
    if (!matmul_avx512bf16.built_in || !matmul_avx512bf16.usable()) {
        return;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        check(sizes[i][0], sizes[i][1], sizes[i][2], matmul_amx_emulated.many, true, 0);
        check(sizes[i][0], sizes[i][1], sizes[i][2], matmul_amx_emulated.many_bf16, true, 0);
        check(sizes[i][0], sizes[i][1], sizes[i][2], matmul_amx_emulated.many, false, 0x1p-17);
        check(sizes[i][0], sizes[i][1], sizes[i][2], matmul_amx_emulated.many_bf16, false, 0x1p-8);
    }
}
END_TEST

#else

START_TEST(tiles_agree_with_float64)
{
    ck_assert(!matmul_amx.built_in);
}
END_TEST

#endif

Suite *make_suite(void)
{
    Suite *suite = suite_create("matmul_amx");
    add_test(suite, "emulated tiles", tiles_agree_with_float64);
    return suite;
}
