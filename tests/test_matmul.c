#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/bf16.h"
#include "common/matmul.h"
#include "common/rng.h"
#include "tests/support/test.h"

static const float untouched = -12345.0f;

/* A product y = x W^T + b with everything that may be awkward: strides longer than the rows, NaN between the rows of x,
 * a marker between those of y, weights at an odd address. */
struct problem {
    int n_tokens, rows, cols;
    size_t x_stride, y_stride;
    float *x, *y, *b;
    double *w_f64;
    unsigned char *bytes;
    struct tensor w, bias;
};

enum values { WHOLE_NUMBERS, NORMAL };

static float draw(struct rng *rng, enum values values)
{
    return values == WHOLE_NUMBERS ? (float)(rng_below(rng, 17) - 8) : (float)rng_normal(rng);
}

/* A float32 that half precision holds too: 11 bits of mantissa, no exponent below that of normal numbers. */
static float round_to_f16(uint16_t *half, float x)
{
    int exponent;
    double fraction = frexp((double)x, &exponent); /* x = fraction * 2^exponent, 0.5 <= |fraction| < 1 */
    if (x == 0.0f || exponent < -12) {
        *half = 0;
        return 0.0f;
    }
    double rounded = rint(fraction * 1024) / 1024;
    uint16_t mantissa = (uint16_t)((fabs(rounded) == 1.0 ? 0.5 : fabs(rounded)) * 2048 - 1024);
    exponent += fabs(rounded) == 1.0;
    *half = (uint16_t)((x < 0 ? 0x8000 : 0) | (exponent + 14) << 10 | mantissa);
    return (float)ldexp(rounded, exponent - (fabs(rounded) == 1.0));
}

static void mark_outputs(struct problem *p)
{
    for (size_t i = 0; i < (size_t)p->n_tokens * p->y_stride; i++) {
        p->y[i] = untouched;
    }
}

static void problem_init(struct problem *p, int n_tokens, int rows, int cols, enum dtype dtype,
                         enum values values, struct rng *rng)
{
    *p = (struct problem){.n_tokens = n_tokens, .rows = rows, .cols = cols};
    p->x_stride = (size_t)cols + 3;
    p->y_stride = (size_t)rows + 5;
    size_t n_x = (size_t)n_tokens * p->x_stride, n_y = (size_t)n_tokens * p->y_stride;
    size_t n_w = (size_t)rows * (size_t)cols, size = dtype_size(dtype);
    size_t offset = 1 + (size_t)rng_below(rng, 3);
    p->x = test_alloc((n_x + 1) * sizeof *p->x);
    p->y = test_alloc((n_y + 1) * sizeof *p->y);
    p->b = test_alloc((size_t)(rows + 1) * sizeof *p->b);
    p->w_f64 = test_alloc((n_w + 1) * sizeof *p->w_f64);
    p->bytes = test_alloc(n_w * size + offset);
    for (size_t i = 0; i < n_x; i++) {
        p->x[i] = i % p->x_stride < (size_t)cols ? draw(rng, values) : NAN;
    }
    mark_outputs(p);
    for (int o = 0; o < rows; o++) {
        p->b[o] = draw(rng, values);
    }
    for (size_t i = 0; i < n_w; i++) {
        float value = draw(rng, values);
        uint16_t half;
        if (dtype == DTYPE_F32) {
            memcpy(p->bytes + offset + i * size, &value, size);
        } else {
            if (dtype == DTYPE_BF16) {
                half = bf16_from_f32(value);
                value = bf16_to_f32(half);
            } else {
                value = round_to_f16(&half, value);
            }
            memcpy(p->bytes + offset + i * size, &half, size);
        }
        p->w_f64[i] = (double)value;
    }
    p->w = (struct tensor){p->bytes + offset, dtype, rows, cols};
    if (rng_below(rng, 2) == 0)
        p->bias = tensor_f32(p->b, 1, rows);
}

static void problem_free(struct problem *p)
{
    free(p->x);
    free(p->y);
    free(p->b);
    free(p->w_f64);
    free(p->bytes);
}

/* The float64 sum, and in *magnitudes the sum of the absolute values: what rounding errors are proportional to. */
static double expected_output(const struct problem *p, int t, int o, double *magnitudes)
{
    double sum = tensor_present(&p->bias) ? (double)p->b[o] : 0.0;
    *magnitudes = fabs(sum);
    const double *w = p->w_f64 + (size_t)o * (size_t)p->cols;
    const float *x = p->x + (size_t)t * p->x_stride;
    for (int i = 0; i < p->cols; i++) {
        sum += (double)x[i] * w[i];
        *magnitudes += fabs((double)x[i] * w[i]);
    }
    return sum;
}

static void check_outputs(const struct problem *p, const char *kernel, double tolerance)
{
    for (int t = 0; t < p->n_tokens; t++) {
        const float *y = p->y + (size_t)t * p->y_stride;
        for (int o = 0; o < p->rows; o++) {
            double magnitudes, expected = expected_output(p, t, o, &magnitudes);
            double error = fabs((double)y[o] - expected);
            ck_assert_msg(error <= tolerance * magnitudes,
                          "%s, %d tokens x %d x %d, %s: y[%d, %d] is %.9g, expected %.9g, error %.3g > %.3g",
                          kernel, p->n_tokens, p->rows, p->cols, dtype_name(p->w.dtype), t, o, (double)y[o],
                          expected, error, tolerance * magnitudes);
        }
        for (size_t o = (size_t)p->rows; o < p->y_stride; o++) {
            ck_assert_msg(y[o] == untouched, "%s: wrote between the rows of y", kernel);
        }
    }
}

static void multiply(struct problem *p)
{
    mark_outputs(p); /* or a kernel that leaves some out would be judged by the one before */
    matmul(p->y, p->y_stride, p->x, p->x_stride, &p->w, &p->bias, p->n_tokens);
}

static bool multiplies_bf16(const char *kernel)
{
    return strcmp(kernel, "avx512bf16") == 0 || strcmp(kernel, "amx") == 0 || strcmp(kernel, "neonbf16") == 0;
}

/* What one rounding error of each product and sum may add up to, as a share of the sum of magnitudes. The errors of n
 * partial sums are independent and each at most half a unit in the last place (2^-24) of a partial sum; with terms of
 * both signs the partial sums stay near sqrt(n) terms, so together they come to about 2^-24 of the n magnitudes; eight
 * times that for the worst of a million outputs. Kernels that multiply bfloat16 hold an activation as two terms, exact to
 * 2^-17 (bf16_split). */
static double tolerance_of(const char *kernel)
{
    return 8 * 0x1p-24 + (multiplies_bf16(kernel) ? 0x1p-17 : 0);
}

/* Every way a dimension can be a full tile, a part of one, or several and a part. */
static const int token_counts[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15, 16, 17, 28, 33, 65};
static const int row_counts[] = {0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 65, 100};
static const int col_counts[] = {1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 63, 65, 129};
static const int long_counts[] = {511, 512, 513, 1025, 2500};
#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))

/* The i-th kernel to be tested becomes the chosen one; NULL: there are no more. */
static const char *use_kernel(int i)
{
#ifdef ONLY_KERNEL
    return i == 0 && matmul_choose_kernel(ONLY_KERNEL, NULL) == STATUS_OK ? ONLY_KERNEL : NULL;
#else
    const char *name = matmul_usable_kernel(i);
    if (name != NULL)
        ck_assert_int_eq(matmul_choose_kernel(name, NULL), STATUS_OK);
    return name;
#endif
}

static void check_shape(int n_tokens, int rows, int cols, enum dtype dtype, enum values values,
                        struct rng *rng)
{
    struct problem p;
    problem_init(&p, n_tokens, rows, cols, dtype, values, rng);
    const char *kernel;
    for (int k = 0; (kernel = use_kernel(k)) != NULL; k++) {
        multiply(&p);
        check_outputs(&p, kernel, values == WHOLE_NUMBERS ? 0.0 : tolerance_of(kernel));
    }
    problem_free(&p);
}

/* Small whole numbers: every product and sum is exact in any order, so every kernel must give exactly the right one; also
 * with one bfloat16 term an activation, which every other shape gets. */
START_TEST(whole_numbers_are_exact_in_every_shape)
{
    struct rng rng;
    rng_init(&rng, 1);
    int n = 0;
    for (int t = 0; t < N_OF(token_counts); t++) {
        for (int r = 0; r < N_OF(row_counts); r++) {
            for (int c = 0; c < N_OF(col_counts); c++, n++) {
                matmul_set_precision(n % 2 == 0 ? MATMUL_TWO_TERMS : MATMUL_ONE_TERM);
                check_shape(token_counts[t], row_counts[r], col_counts[c], (enum dtype)(n % 3), WHOLE_NUMBERS,
                            &rng);
            }
        }
    }
    matmul_set_precision(MATMUL_TWO_TERMS);
}
END_TEST

/* Tokens are divided into tiles as evenly as possible: every number of tokens that a tile can have comes up. */
START_TEST(any_number_of_tokens_is_exact)
{
    struct rng rng;
    rng_init(&rng, 12);
    for (int n_tokens = 1; n_tokens <= 70; n_tokens++) {
        check_shape(n_tokens, 33, 35, DTYPE_BF16, WHOLE_NUMBERS, &rng);
    }
}
END_TEST

START_TEST(random_numbers_agree_with_float64)
{
    struct rng rng;
    rng_init(&rng, 2);
    for (int dtype = DTYPE_F32; dtype <= DTYPE_F16; dtype++) {
        for (int t = 1; t < N_OF(token_counts); t += 2) {
            for (int r = 1; r < N_OF(row_counts); r += 3) {
                for (int c = 0; c < N_OF(long_counts); c++) {
                    check_shape(token_counts[t], row_counts[r], long_counts[c], (enum dtype)dtype, NORMAL,
                                &rng);
                }
            }
        }
    }
}
END_TEST

/* More than one block in every direction of the largest kernel. */
START_TEST(large_products_agree_with_float64)
{
    struct rng rng;
    rng_init(&rng, 3);
    check_shape(150, 700, 1100, DTYPE_BF16, NORMAL, &rng);
    check_shape(600, 70, 90, DTYPE_F32, NORMAL, &rng);
    check_shape(300, 70, 1000, DTYPE_BF16, NORMAL, &rng);
    check_shape(20, 1100, 450, DTYPE_BF16, NORMAL, &rng);
    check_shape(40, 100, 1024, DTYPE_BF16, NORMAL, &rng);
}
END_TEST

/* One bfloat16 term rounds every activation by up to 2^-8 of it, where a kernel has that; elsewhere nothing changes. */
START_TEST(one_term_agrees_to_the_precision_of_bfloat16)
{
    struct rng rng;
    rng_init(&rng, 11);
    struct problem p;
    problem_init(&p, 45, 70, 933, DTYPE_BF16, NORMAL, &rng);
    matmul_set_precision(MATMUL_ONE_TERM);
    const char *kernel;
    for (int k = 0; (kernel = use_kernel(k)) != NULL; k++) {
        multiply(&p);
        check_outputs(&p, kernel, 8 * 0x1p-24 + (multiplies_bf16(kernel) ? 0x1p-8 : 0));
    }
    matmul_set_precision(MATMUL_TWO_TERMS);
    problem_free(&p);
}
END_TEST

/* With one term every activation that a product gets is a bfloat16 number, whoever rounds it; with two nothing changes.
 * Ties go to the even neighbour: 1 + 2^-8 to 1, 1 + 3 * 2^-8 to 1 + 2^-6. */
START_TEST(activations_are_rounded_before_a_product_or_in_it)
{
    enum { COLS = 5, TOKENS = 40 };
    static const float given[COLS] = {1 + 0x1p-8F, 1 + 0x3p-8F, -257.0F, 0.0F, 0x1.fep-3F};
    static const float rounded[COLS] = {1.0F, 1 + 0x1p-6F, -256.0F, 0.0F, 0x1.fep-3F};
    static const uint16_t ones[COLS] = {0x3f80, 0x3f80, 0x3f80, 0x3f80, 0x3f80};
    static const float ones_f32[COLS] = {1, 1, 1, 1, 1};
    const struct tensor weights[] = {{ones, DTYPE_BF16, 1, COLS}, tensor_f32(ones_f32, 1, COLS)};
    const char *kernel;
    for (int k = 0; (kernel = use_kernel(k)) != NULL; k++) {
        for (int w = 0; w < 2; w++) {
            for (int n_tokens = 0; n_tokens <= TOKENS; n_tokens += n_tokens == 0 ? 1 : TOKENS - 1) {
                float x[TOKENS * COLS], y[TOKENS];
                for (int i = 0; i < TOKENS * COLS; i++) {
                    x[i] = given[i % COLS];
                }
                matmul_round_activations(x, &weights[w], n_tokens);
                for (int i = 0; i < TOKENS * COLS; i++) {
                    ck_assert(x[i] == given[i % COLS]);
                }
                matmul_set_precision(MATMUL_ONE_TERM);
                matmul_round_activations(x, &weights[w], n_tokens);
                matmul(y, 1, x, COLS, &weights[w], NULL, n_tokens);
                matmul_set_precision(MATMUL_TWO_TERMS);
                bool by_kernel = multiplies_bf16(kernel) && w == 0 && n_tokens == TOKENS;
                for (int i = 0; i < TOKENS * COLS; i++) {
                    float expected = i < n_tokens * COLS && !by_kernel ? rounded[i % COLS] : given[i % COLS];
                    ck_assert_msg(x[i] == expected, "%s, %s, %d tokens: [%d]: %g", kernel,
                                  dtype_name(weights[w].dtype), n_tokens, i, (double)x[i]);
                }
                for (int t = 0; t < n_tokens; t++) {
                    ck_assert_msg(y[t] == 2 + 0x1p-6F - 256 + 0x1.fep-3F, "%s: %g", kernel, (double)y[t]);
                }
            }
        }
    }
}
END_TEST

START_TEST(the_plain_loop_agrees_with_float64)
{
    struct rng rng;
    rng_init(&rng, 4);
    for (int dtype = DTYPE_F32; dtype <= DTYPE_F16; dtype++) {
        struct problem p;
        problem_init(&p, 7, 33, 100, (enum dtype)dtype, NORMAL, &rng);
        matmul_plain(p.y, p.y_stride, p.x, p.x_stride, &p.w, &p.bias, p.n_tokens);
        check_outputs(&p, "plain", tolerance_of("plain"));
        problem_free(&p);
    }
}
END_TEST

/* Also with a batch large enough for the tiles, and one that is not. */
START_TEST(any_number_of_threads_gives_the_same_bits)
{
    static const int batches[] = {1, 5, 150};
    struct rng rng;
    rng_init(&rng, 5);
    for (int i = 0; i < N_OF(batches); i++) {
        struct problem p;
        problem_init(&p, batches[i], 700, 601, DTYPE_BF16, NORMAL, &rng);
        size_t n_bytes = (size_t)p.n_tokens * p.y_stride * sizeof *p.y;
        float *one_thread = test_alloc(n_bytes);
        const char *kernel;
        for (int k = 0; (kernel = use_kernel(k)) != NULL; k++) {
            matmul_set_threads(1);
            multiply(&p);
            memcpy(one_thread, p.y, n_bytes);
            for (int n_threads = 2; n_threads <= 7; n_threads++) {
                matmul_set_threads(n_threads);
                multiply(&p);
                ck_assert_msg(memcmp(one_thread, p.y, n_bytes) == 0,
                              "%s, %d tokens: %d threads differ from one", kernel, p.n_tokens, n_threads);
            }
        }
        free(one_thread);
        problem_free(&p);
    }
}
END_TEST

/* Prefill in any split: a token's output may differ in rounding with the size of the batch it came in, not in more. */
START_TEST(the_batch_size_does_not_matter)
{
    struct rng rng;
    rng_init(&rng, 6);
    struct problem p;
    problem_init(&p, 70, 130, 900, DTYPE_BF16, NORMAL, &rng);
    for (int k = 0; use_kernel(k) != NULL; k++) {
        multiply(&p);
        for (int t = 0; t < p.n_tokens; t++) {
            float alone[130];
            double together[130];
            float largest = 0;
            for (int o = 0; o < p.rows; o++) {
                together[o] = (double)p.y[(size_t)t * p.y_stride + (size_t)o];
                largest = fmaxf(largest, fabsf((float)together[o]));
            }
            matmul(alone, 130, p.x + (size_t)t * p.x_stride, 0, &p.w, &p.bias, 1);
            assert_near(alone, together, 130, 1e-5 * (double)largest, 0);
        }
    }
    problem_free(&p);
}
END_TEST

/* Tiles are padded with other tokens or zeros inside a kernel: a token that is not a number must not leak. */
START_TEST(a_nan_stays_in_its_token)
{
    struct rng rng;
    rng_init(&rng, 7);
    struct problem p;
    problem_init(&p, 31, 40, 100, DTYPE_BF16, NORMAL, &rng);
    for (int i = 0; i < p.cols; i++)
        p.x[16 * p.x_stride + (size_t)i] = NAN;
    const char *kernel;
    for (int k = 0; (kernel = use_kernel(k)) != NULL; k++) {
        multiply(&p);
        for (int t = 0; t < p.n_tokens; t++) {
            for (int o = 0; o < p.rows; o++) {
                ck_assert_msg(isnan(p.y[(size_t)t * p.y_stride + (size_t)o]) == (t == 16), "%s: y[%d, %d]",
                              kernel, t, o);
            }
        }
    }
    problem_free(&p);
}
END_TEST

START_TEST(parts_equal_separate_products)
{
    struct rng rng;
    rng_init(&rng, 8);
    static const int rows[3] = {70, 10, 129};
    struct problem p[3];
    struct matmul_part parts[3];
    float *separate[3];
    const char *kernel;
    for (int n_tokens = 1; n_tokens <= 33; n_tokens += 32) {
        for (int i = 0; i < 3; i++) {
            problem_init(&p[i], n_tokens, rows[i], 77, i == 1 ? DTYPE_F32 : DTYPE_BF16, NORMAL, &rng);
            parts[i] = (struct matmul_part){p[i].y, p[i].y_stride, &p[i].w, &p[i].bias};
            separate[i] = test_alloc((size_t)n_tokens * p[i].y_stride * sizeof(float));
        }
        for (int k = 0; (kernel = use_kernel(k)) != NULL; k++) {
            for (int i = 0; i < 3; i++) {
                mark_outputs(&p[i]);
                memcpy(separate[i], p[i].y, (size_t)n_tokens * p[i].y_stride * sizeof(float));
                matmul(separate[i], p[i].y_stride, p[0].x, p[0].x_stride, &p[i].w, &p[i].bias, n_tokens);
            }
            matmul_parts(parts, 3, p[0].x, p[0].x_stride, n_tokens);
            for (int i = 0; i < 3; i++) {
                ck_assert_msg(memcmp(separate[i], p[i].y, (size_t)n_tokens * p[i].y_stride * sizeof(float)) ==
                                  0,
                              "%s: part %d differs", kernel, i);
            }
        }
        for (int i = 0; i < 3; i++) {
            free(separate[i]);
            problem_free(&p[i]);
        }
    }
}
END_TEST

/* One pass for gate, up and their middle: the same bits as one after the other, on any number of threads. */
START_TEST(gated_equals_its_three_steps)
{
    static const int shapes[][3] = {{1, 33, 20},    {5, 100, 65},  {70, 300, 40},
                                    {150, 257, 33}, {300, 40, 70}, {20, 1100, 460}};
    for (int k = 0; use_kernel(k) != NULL; k++) {
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            struct rng rng;
            rng_init(&rng, i);
            int n_tokens = shapes[i][0], rows = shapes[i][1], cols = shapes[i][2];
            struct problem gate, up;
            problem_init(&gate, n_tokens, rows, cols, DTYPE_BF16, NORMAL, &rng);
            problem_init(&up, n_tokens, rows, cols, i == 2 ? DTYPE_F32 : DTYPE_BF16, NORMAL, &rng);
            matmul_set_precision(i % 2 == 0 ? MATMUL_TWO_TERMS : MATMUL_ONE_TERM);
            size_t stride = gate.y_stride, bytes = (size_t)n_tokens * stride * sizeof *gate.y;
            float *expected = test_alloc(bytes);
            const struct matmul_part parts[2] = {{gate.y, stride, &gate.w, &gate.bias},
                                                 {up.y, stride, &up.w, &up.bias}};
            matmul_set_threads(1);
            matmul_parts(parts, 2, gate.x, gate.x_stride, n_tokens);
            for (int t = 0; t < n_tokens; t++) {
                matmul_silu_multiply(gate.y + (size_t)t * stride, up.y + (size_t)t * stride, (size_t)rows);
            }
            memcpy(expected, gate.y, bytes);
            for (int n_threads = 1; n_threads <= 3; n_threads++) {
                matmul_set_threads(n_threads);
                mark_outputs(&gate); /* or what is expected would stand there already */
                mark_outputs(&up);
                matmul_gated(&parts[0], &parts[1], gate.x, gate.x_stride, n_tokens);
                ck_assert_msg(memcmp(gate.y, expected, bytes) == 0, "%s: %d tokens, %d rows, %d threads",
                              matmul_kernel_name(), n_tokens, rows, n_threads);
            }
            matmul_set_precision(MATMUL_TWO_TERMS);
            free(expected);
            problem_free(&gate);
            problem_free(&up);
        }
    }
}
END_TEST

START_TEST(dot_and_add_scaled_agree_with_float64)
{
    struct rng rng;
    rng_init(&rng, 9);
    float a[301], b[301], y[301];
    for (int n = 0; n <= 300; n++) {
        rng_fill_normal(&rng, a, 301, 1);
        rng_fill_normal(&rng, b, 301, 1);
        double sum = 0, magnitudes = 0;
        for (int i = 0; i < n; i++) {
            sum += (double)a[i] * (double)b[i];
            magnitudes += fabs((double)a[i] * (double)b[i]);
        }
        const char *kernel;
        for (int k = 0; (kernel = use_kernel(k)) != NULL; k++) {
            double error = fabs((double)matmul_dot(a, b, n) - sum);
            ck_assert_msg(error <= 4 * 0x1p-24 * magnitudes, "%s: dot of %d: error %.3g", kernel, n, error);
            memcpy(y, b, sizeof y);
            matmul_add_scaled(y, 0.7f, a, n);
            for (int i = 0; i < n; i++) {
                double expected = (double)b[i] + (double)0.7f * (double)a[i];
                /* one rounding of the product and one of the sum, or one for both */
                double bound = 0x1p-24 * (fabs(expected) + fabs((double)0.7f * (double)a[i]));
                ck_assert_msg(fabs((double)y[i] - expected) <= bound * (1 + 0x1p-20),
                              "%s: add_scaled of %d at %d", kernel, n, i);
            }
            ck_assert_msg(y[n] == b[n], "%s: add_scaled of %d wrote behind its end", kernel, n);
        }
    }
}
END_TEST

/* Scores against keys and the mix of values, as attention asks for them, with strides; sizes around the tiles' own. */
START_TEST(scores_and_mix_agree_with_float64)
{
    static const int sizes[][3] = {{1, 1, 8},      {7, 33, 64},  {15, 100, 64},
                                   {112, 256, 64}, {5, 600, 40}, {2, 3, 1}};
    struct rng rng;
    rng_init(&rng, 10);
    for (int i = 0; i < N_OF(sizes); i++) {
        int n_rows = sizes[i][0], n_keys = sizes[i][1], dim = sizes[i][2];
        size_t q_stride = (size_t)dim + 2, n_key_values = (size_t)n_keys * (size_t)dim,
               s_stride = (size_t)n_keys + 3, n = (size_t)n_rows;
        float *q = test_alloc(n * q_stride * sizeof *q), *keys = test_alloc(n_key_values * sizeof *keys);
        float *scores = test_alloc(n * s_stride * sizeof *scores),
              *mixed = test_alloc(n * q_stride * sizeof *mixed);
        rng_fill_normal(&rng, q, n * q_stride, 1);
        rng_fill_normal(&rng, keys, n_key_values, 1);
        for (int kernel = 0; use_kernel(kernel) != NULL; kernel++) {
            matmul_scores(scores, s_stride, q, q_stride, keys, n_rows, n_keys, dim);
            memcpy(mixed, q, n * q_stride * sizeof *mixed);
            matmul_mix(mixed, q_stride, scores, s_stride, keys, n_rows, n_keys, dim);
            for (int t = 0; t < n_rows; t++) {
                for (int s = 0; s < n_keys; s++) {
                    double sum = 0, magnitudes = 0;
                    for (int c = 0; c < dim; c++) {
                        double product =
                            (double)q[(size_t)t * q_stride + (size_t)c] * (double)keys[s * dim + c];
                        sum += product;
                        magnitudes += fabs(product);
                    }
                    double error = fabs((double)scores[(size_t)t * s_stride + (size_t)s] - sum);
                    ck_assert_msg(error <= 8 * 0x1p-24 * magnitudes, "%s: score [%d, %d]: error %.3g",
                                  matmul_kernel_name(), t, s, error);
                }
                for (int c = 0; c < dim; c++) {
                    double sum = (double)q[(size_t)t * q_stride + (size_t)c], magnitudes = fabs(sum);
                    for (int s = 0; s < n_keys; s++) {
                        double product =
                            (double)scores[(size_t)t * s_stride + (size_t)s] * (double)keys[s * dim + c];
                        sum += product;
                        magnitudes += fabs(product);
                    }
                    double error = fabs((double)mixed[(size_t)t * q_stride + (size_t)c] - sum);
                    ck_assert_msg(error <= 8 * 0x1p-24 * magnitudes, "%s: mix [%d, %d]: error %.3g",
                                  matmul_kernel_name(), t, c, error);
                }
                ck_assert(mixed[(size_t)t * q_stride + (size_t)dim] == q[(size_t)t * q_stride + (size_t)dim]);
            }
        }
        free(q);
        free(keys);
        free(scores);
        free(mixed);
    }
}
END_TEST

/* Against exp() in float64. The kernels' exponential is good to 2 units in the last place; adding shift and x rounds once
 * before, which e^x turns into a relative error of |x| 2^-24. */
START_TEST(exponentials_agree_with_float64)
{
    float x[1003], up[1003], silu[1003];
    for (int kernel = 0; use_kernel(kernel) != NULL; kernel++) {
        for (int n = 1; n <= 1003; n += 167) {
            double sum = 0;
            int middle = n / 2;
            for (int i = 0; i < n; i++) {
                x[i] = (float)(i - n + 1) * 0.085F;
                up[i] = 1.5F - (float)i * 0.01F;
                silu[i] = 0.18F * (float)(i - middle);
                sum += exp((double)x[i] - 0.25);
            }
            ck_assert(matmul_largest(x, n) == x[n - 1]);
            float got_sum = matmul_exp_sum(x, 0.25F, n);
            matmul_silu_multiply(silu, up, (size_t)n);
            ck_assert_msg(fabs((double)got_sum - sum) <= 1e-6 * sum, "%s: sum of %d", matmul_kernel_name(),
                          n);
            for (int i = 0; i < n; i++) {
                double shifted = (double)((float)(i - n + 1) * 0.085F) - 0.25,
                       gate = (double)(0.18F * (float)(i - middle));
                double expected = exp(shifted), expected_silu = gate / (1 + exp(-gate)) * (double)up[i];
                double bound = (4 + fabs(shifted)) * 0x1p-24 * expected;
                ck_assert_msg(fabs((double)x[i] - expected) <= bound, "%s: e^%g: got %.9g, expected %.9g",
                              matmul_kernel_name(), shifted, (double)x[i], expected);
                /* a quotient, a product and the exponential; below 1e-36 its argument is held at 88.3 */
                ck_assert_msg(fabs((double)silu[i] - expected_silu) <=
                                  8 * 0x1p-24 * fabs(expected_silu) + 1e-36,
                              "%s: silu(%g) * %g: got %.9g, expected %.9g", matmul_kernel_name(), gate,
                              (double)up[i], (double)silu[i], expected_silu);
            }
        }
        float nan_gate = NAN, one = 1.0F;
        matmul_silu_multiply(&nan_gate, &one, 1);
        ck_assert_msg(isnan(nan_gate), "%s: silu of a NaN", matmul_kernel_name());
    }
}
END_TEST

/* The first test: a later one may find what another has chosen. */
START_TEST(before_any_choice_it_is_the_portable_kernel_on_all_threads)
{
    ck_assert_str_eq(matmul_kernel_name(), "portable");
    int n_threads = matmul_threads();
    matmul_set_threads(0);
    ck_assert_int_eq(n_threads, matmul_threads());
}
END_TEST

START_TEST(kernels_are_chosen_by_name)
{
    struct error error;
    ck_assert_int_eq(matmul_choose_kernel("portable", &error), STATUS_OK);
    ck_assert_str_eq(matmul_kernel_name(), "portable");
    ck_assert_int_eq(matmul_choose_kernel("quantum", &error), STATUS_USAGE);
    const char *offered = "kernel quantum: unknown, expected one of ";
    ck_assert_int_eq(strncmp(error.message, offered, strlen(offered)), 0);
    for (int k = 0; matmul_usable_kernel(k) != NULL; k++) {
        ck_assert_ptr_nonnull(strstr(error.message + strlen(offered), matmul_usable_kernel(k)));
    }
    ck_assert_str_eq(matmul_kernel_name(), "portable");

    setenv("KERNEL", "portable", 1);
    ck_assert_int_eq(matmul_choose_kernel(NULL, &error), STATUS_OK);
    ck_assert_str_eq(matmul_kernel_name(), "portable");
    setenv("KERNEL", "quantum", 1);
    ck_assert_int_eq(matmul_choose_kernel(NULL, &error), STATUS_USAGE);
    unsetenv("KERNEL");
    ck_assert_int_eq(matmul_choose_kernel(NULL, &error), STATUS_OK);
}
END_TEST

/* The list names every kernel once and marks one as chosen; a kernel in it that this machine lacks is refused. */
START_TEST(kernels_are_listed)
{
    char text[2000] = "";
    struct error error;
    ck_assert_int_eq(matmul_choose_kernel("portable", &error), STATUS_OK);
    FILE *out = tmpfile();
    ck_assert_ptr_nonnull(out);
    matmul_list_kernels(out);
    rewind(out);
    int n_chosen = 0, n_lines = 0, n_usable = 0;
    while (fgets(text, sizeof text, out) != NULL) {
        char name[64];
        ck_assert_int_eq(sscanf(text, "%63s", name), 1);
        n_lines++;
        n_chosen += strstr(text, "chosen") != NULL;
        bool usable = strstr(text, "usable") != NULL;
        n_usable += usable;
        ck_assert_int_eq(matmul_choose_kernel(name, &error), usable ? STATUS_OK : STATUS_UNSUPPORTED);
    }
    fclose(out);
    ck_assert_int_eq(n_chosen, 1);
    ck_assert_int_ge(n_lines, n_usable);
    ck_assert_ptr_nonnull(matmul_usable_kernel(n_usable - 1));
    ck_assert_ptr_null(matmul_usable_kernel(n_usable));
}
END_TEST

START_TEST(threads_are_counted)
{
    ck_assert_int_ge(matmul_threads(), 1);
    matmul_set_threads(3);
#ifdef _OPENMP
    ck_assert_int_eq(matmul_threads(), 3);
#else
    ck_assert_int_eq(matmul_threads(), 1);
#endif
    matmul_set_threads(0);
    ck_assert_int_ge(matmul_threads(), 1);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("matmul");
    add_test(suite, "before any choice", before_any_choice_it_is_the_portable_kernel_on_all_threads);
    add_test(suite, "whole numbers", whole_numbers_are_exact_in_every_shape);
    add_test(suite, "any number of tokens", any_number_of_tokens_is_exact);
    add_test(suite, "random numbers", random_numbers_agree_with_float64);
    add_test(suite, "large", large_products_agree_with_float64);
    add_test(suite, "one term", one_term_agrees_to_the_precision_of_bfloat16);
    add_test(suite, "rounding", activations_are_rounded_before_a_product_or_in_it);
    add_test(suite, "plain loop", the_plain_loop_agrees_with_float64);
    add_test(suite, "threads", any_number_of_threads_gives_the_same_bits);
    add_test(suite, "batch size", the_batch_size_does_not_matter);
    add_test(suite, "NaN", a_nan_stays_in_its_token);
    add_test(suite, "parts", parts_equal_separate_products);
    add_test(suite, "dot and add_scaled", dot_and_add_scaled_agree_with_float64);
    add_test(suite, "gated", gated_equals_its_three_steps);
    add_test(suite, "scores and mix", scores_and_mix_agree_with_float64);
    add_test(suite, "exponentials", exponentials_agree_with_float64);
    add_test(suite, "choice", kernels_are_chosen_by_name);
    add_test(suite, "list", kernels_are_listed);
    add_test(suite, "number of threads", threads_are_counted);
    return suite;
}
