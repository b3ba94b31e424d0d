#include "common/rmsnorm.h"

#include <math.h>
#include <stdlib.h>

#include "common/bf16.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

/* The reference works in float32: its mean, root and two products are each rounded, ours once less. */
static const double tolerance = 6 * 0x1p-24;

static void compare_with_golden(const char *x_name, const char *w_name, const char *out_name, double eps)
{
    struct golden golden;
    size_t n, n_cols;
    golden_open(&golden, "ch5_rmsnorm");
    float *x = golden_f32(&golden, x_name, &n);
    float *w = golden_f32(&golden, w_name, &n_cols);
    double *expected = golden_f64(&golden, out_name, NULL);
    struct tensor weight = tensor_f32(w, 1, (int)n_cols);
    rmsnorm(x, x, &weight, eps, (int)(n / n_cols), (int)n_cols); /* in place: out may be x */
    assert_near(x, expected, n, 0, tolerance);
    free(x);
    free(w);
    free(expected);
    golden_close(&golden);
}

START_TEST(agrees_with_qwen2)
{
    compare_with_golden("f32.x", "f32.w", "f32.out", 1e-6);
}
END_TEST

START_TEST(agrees_with_the_articles_eps)
{
    compare_with_golden("eps8.x", "eps8.w", "eps8.out", 1e-8);
}
END_TEST

START_TEST(bf16_agrees_with_qwen2_bit_for_bit)
{
    struct golden golden;
    size_t n, n_cols;
    golden_open(&golden, "ch5_rmsnorm");
    uint16_t *x = golden_bf16(&golden, "bf16.x", &n);
    uint16_t *w = golden_bf16(&golden, "bf16.w", &n_cols);
    uint16_t *expected = golden_bf16(&golden, "bf16.out", NULL);
    rmsnorm_bf16(x, x, w, 1e-6, (int)(n / n_cols), (int)n_cols);
    assert_bits16(x, expected, n);
    free(x);
    free(w);
    free(expected);
    golden_close(&golden);
}
END_TEST

/* cases.md 12: rounding once at the end would give BFAA first. */
START_TEST(bf16_rounds_before_the_weight)
{
    const float x_values[] = {-1.5F, 2.5F, 0, 0.5F}, w_values[] = {1.3125F, 1.25F, 1.0625F, 1.25F};
    const uint16_t expected[] = {0xBFAB, 0x4007, 0x0000, 0x3ED8};
    uint16_t x[4], w[4], out[4];
    for (int i = 0; i < 4; i++) {
        x[i] = bf16_from_f32(x_values[i]);
        w[i] = bf16_from_f32(w_values[i]);
    }
    rmsnorm_bf16(out, x, w, 1e-6, 1, 4);
    assert_bits16(out, expected, 4);
}
END_TEST

/* cases.md 55: eps outside the root would give 0.999; 1e20 squared does not overflow. */
START_TEST(keeps_eps_inside_the_root)
{
    const float ones[] = {1, 1};
    struct tensor weight = tensor_f32(ones, 1, 2);
    float x[] = {1e-3F, 1e-3F, 1e-3F, 1e-3F, 0, 0, 1e20F, 1e20F};
    rmsnorm(x, x, &weight, 1e-6, 1, 2);
    rmsnorm(x + 2, x + 2, &weight, 1e-5, 1, 2);
    rmsnorm(x + 4, x + 4, &weight, 1e-6, 2, 2);
    /* 1e-3 in float32 is off by 2^-25 relative, of which the root keeps a part */
    const double expected[] = {
        0.70710678118654752, 0.70710678118654752, 0.30151134457776363, 0.30151134457776363, 0, 0, 1, 1};
    assert_near(x, expected, 8, 0, tolerance);
}
END_TEST

/* A model's weight is often bfloat16, at an odd address. */
START_TEST(reads_a_bf16_weight_at_any_address)
{
    unsigned char bytes[1 + 2 * sizeof(uint16_t)] = {0, 0x00, 0x40, 0x80, 0xBF}; /* 2 and -1, little-endian */
    struct tensor weight = {bytes + 1, DTYPE_BF16, 1, 2};
    const float x[] = {3, 3};
    float out[2];
    const double expected[] = {2, -1};
    rmsnorm(out, x, &weight, 0.0, 1, 2);
    assert_near(out, expected, 2, 0, 0);
}
END_TEST

/* More rows and columns than are done at once, both no multiple of it. */
START_TEST(every_row_and_column_of_a_large_matrix_is_normed)
{
    enum { ROWS = 130, COLS = 600 };
    static float x[ROWS * COLS];
    static float out[ROWS * COLS];
    static float gain[COLS];
    static double expected[ROWS * COLS];
    for (int i = 0; i < COLS; i++) {
        gain[i] = (float)(1 + i);
    }
    for (int t = 0; t < ROWS; t++) {
        double sum = 0;
        for (int i = 0; i < COLS; i++) {
            x[t * COLS + i] = (float)((t * 7 + i * 3) % 101 - 40);
            sum += (double)x[t * COLS + i] * (double)x[t * COLS + i];
        }
        for (int i = 0; i < COLS; i++) {
            expected[t * COLS + i] = (1 + i) * (double)x[t * COLS + i] / sqrt(sum / COLS + 1e-6);
        }
    }
    struct tensor weight = tensor_f32(gain, 1, COLS);
    rmsnorm(out, x, &weight, 1e-6, ROWS, COLS);
    assert_near(out, expected, ROWS * COLS, 0, 1.2e-7); /* rounded twice: 2 * 2^-24 */
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("rmsnorm");
    add_test(suite, "agrees_with_qwen2", agrees_with_qwen2);
    add_test(suite, "agrees_with_the_articles_eps", agrees_with_the_articles_eps);
    add_test(suite, "bf16_agrees_with_qwen2_bit_for_bit", bf16_agrees_with_qwen2_bit_for_bit);
    add_test(suite, "bf16_rounds_before_the_weight", bf16_rounds_before_the_weight);
    add_test(suite, "keeps_eps_inside_the_root", keeps_eps_inside_the_root);
    add_test(suite, "reads_a_bf16_weight_at_any_address", reads_a_bf16_weight_at_any_address);
    add_test(suite, "large matrix", every_row_and_column_of_a_large_matrix_is_normed);
    return suite;
}
