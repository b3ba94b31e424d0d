#include "common/rope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/bf16.h"
#include "common/rng.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

/* The golden: 2 sequences of 5 tokens with positions of their own, 14 query heads and 2 key heads. */
enum { BATCH = 2, SEQ = 5, TOKENS = BATCH * SEQ, HEADS = 14, KV_HEADS = 2, DIM = 64, PAIRS = DIM / 2 };

static const double unit32 = 0x1p-24; /* largest relative error of one rounding to float32 */

static struct rope_table make_table(int head_dim, double theta, int n_positions)
{
    struct rope_table table;
    struct error error;
    ck_assert_int_eq(rope_table_init(&table, head_dim, theta, n_positions, &error), STATUS_OK);
    return table;
}

/* The reference's own cos or sin [tokens, head_dim], its two halves equal, as a table's [tokens, head_dim/2]. */
static float *first_halves(const struct golden *golden, const char *tensor)
{
    size_t n;
    float *rows = golden_f32(golden, tensor, &n);
    ck_assert_uint_eq(n, TOKENS * DIM);
    float *out = test_alloc(TOKENS * PAIRS * sizeof *out);
    for (int t = 0; t < TOKENS; t++) {
        for (int i = 0; i < PAIRS; i++) {
            out[t * PAIRS + i] = rows[t * DIM + i];
            ck_assert(rows[t * DIM + PAIRS + i] == rows[t * DIM + i]);
        }
    }
    free(rows);
    return out;
}

/* ---- Goldens: rotations ---- */

static void check_float64(const struct golden *golden, enum rope_layout layout, const char *tensor)
{
    double *q = golden_f64(golden, "hf.f32.q", NULL);
    double *expected = golden_f64(golden, tensor, NULL);
    int32_t *position = golden_i32(golden, "hf.positions", NULL);
    double inv_freq[PAIRS], cosine[PAIRS], sine[PAIRS];
    rope_inv_freq(inv_freq, DIM, 1e6);
    for (int t = 0; t < TOKENS; t++) {
        rope_angles(cosine, sine, inv_freq, PAIRS, position[t]);
        for (int h = 0; h < HEADS; h++) {
            double *head = q + (t * HEADS + h) * DIM;
            rope_rotate_f64(head, layout, cosine, sine, DIM);
            /* The angle's error times a vector of at most 5 in each element. */
            assert_near64(head, expected + (t * HEADS + h) * DIM, DIM, 1e-12 + 4 * 0x1p-53 * position[t],
                          0.0);
        }
    }
    free(q);
    free(expected);
    free(position);
}

START_TEST(both_layouts_agree_with_float64)
{
    struct golden golden;
    golden_open(&golden, "ch3_rope");
    check_float64(&golden, ROPE_HALF, "f64.half.q_out");
    check_float64(&golden, ROPE_INTERLEAVED, "f64.interleaved.q_out");
    golden_close(&golden);
}
END_TEST

/* The float32 path, from our own table to the result: every element within a few roundings of float64. */
static void check_float32(const struct golden *golden, enum rope_layout layout, const char *tensor)
{
    float *q = golden_f32(golden, "hf.f32.q", NULL);
    double *expected = golden_f64(golden, tensor, NULL);
    int32_t *position = golden_i32(golden, "hf.positions", NULL);
    struct rope_table table = make_table(DIM, 1e6, 131072);
    rope_apply(q, layout, &table, position, TOKENS, HEADS, HEADS * DIM, DIM);
    /* Two products and a sum of values up to 5: each rounds by 2^-24 of up to 7. */
    assert_near(q, expected, TOKENS * HEADS * DIM, 4 * 7 * unit32, 0.0);
    rope_table_free(&table);
    free(q);
    free(expected);
    free(position);
}

START_TEST(float32_with_our_table_agrees_with_float64)
{
    struct golden golden;
    golden_open(&golden, "ch3_rope");
    check_float32(&golden, ROPE_HALF, "f64.half.q_out");
    check_float32(&golden, ROPE_INTERLEAVED, "f64.interleaved.q_out");
    golden_close(&golden);
}
END_TEST

/* Given the reference's own cos and sin, a table of one row for each token, only the rotation is compared. */
static void check_hf_float32(const struct golden *golden, const char *in, const char *out, int n_heads)
{
    struct rope_table table = {.head_dim = DIM,
                               .theta = 1e6,
                               .n_positions = TOKENS,
                               .cosine = first_halves(golden, "hf.f32.cos"),
                               .sine = first_halves(golden, "hf.f32.sin")};
    size_t n;
    float *x = golden_f32(golden, in, &n);
    double *expected = golden_f64(golden, out, NULL);
    int32_t row[TOKENS];
    for (int t = 0; t < TOKENS; t++) {
        row[t] = t;
    }
    ck_assert_uint_eq(n, (size_t)TOKENS * (size_t)n_heads * DIM);
    rope_apply_half(x, &table, row, TOKENS, n_heads, (size_t)n_heads * DIM, DIM);
    assert_near(x, expected, n, 0.0, 0.0); /* the same three operations: the same bits */
    rope_table_free(&table);
    free(x);
    free(expected);
}

START_TEST(float32_given_hf_angles_is_hf)
{
    struct golden golden;
    golden_open(&golden, "ch3_rope");
    check_hf_float32(&golden, "hf.f32.q", "hf.f32.q_out", HEADS);
    check_hf_float32(&golden, "hf.f32.k", "hf.f32.k_out", KV_HEADS);
    golden_close(&golden);
}
END_TEST

static void check_hf_bf16(const struct golden *golden, const char *in, const char *out, int n_heads)
{
    size_t n;
    uint16_t *x = golden_bf16(golden, in, &n);
    uint16_t *expected = golden_bf16(golden, out, NULL);
    uint16_t *cosine =
        golden_bf16(golden, "hf.bf16.cos", NULL); /* [tokens, head_dim]: the first half of a row */
    uint16_t *sine = golden_bf16(golden, "hf.bf16.sin", NULL);
    ck_assert_uint_eq(n, (size_t)TOKENS * (size_t)n_heads * DIM);
    for (int t = 0; t < TOKENS; t++) {
        for (int h = 0; h < n_heads; h++) {
            rope_rotate_half_bf16(x + (t * n_heads + h) * DIM, cosine + t * DIM, sine + t * DIM, DIM);
        }
    }
    assert_bits16(x, expected, n);
    free(x);
    free(expected);
    free(cosine);
    free(sine);
}

START_TEST(bf16_given_hf_angles_is_hf_bit_for_bit)
{
    struct golden golden;
    golden_open(&golden, "ch3_rope");
    check_hf_bf16(&golden, "hf.bf16.q", "hf.bf16.q_out", HEADS);
    check_hf_bf16(&golden, "hf.bf16.k", "hf.bf16.k_out", KV_HEADS);
    golden_close(&golden);
}
END_TEST

/* ---- Cases ---- */

START_TEST(case_7_the_two_layouts)
{
    struct rope_table table = make_table(4, 1e4, 2);
    const int32_t one = 1;
    float half[] = {1, 2, 3, 4}, interleaved[] = {1, 2, 3, 4}, permuted[4];
    rope_apply(half, ROPE_HALF, &table, &one, 1, 1, 4, 4);
    rope_apply(interleaved, ROPE_INTERLEAVED, &table, &one, 1, 1, 4, 4);
    const double expect_half[] = {-1.984110649, 1.959900667, 2.462377902, 4.019799668};
    const double expect_interleaved[] = {-1.142639664, 1.922075597, 2.959850668, 4.029799502};
    assert_near(half, expect_half, 4, 5e-10, 8 * unit32);
    assert_near(interleaved, expect_interleaved, 4, 5e-10, 8 * unit32);
    /* Interleaved on [1, 3, 2, 4], un-permuted, is half on [1, 2, 3, 4]. */
    const float x[] = {1, 2, 3, 4};
    rope_rows_to_interleaved(permuted, x, 1, 4, 1);
    ck_assert(permuted[0] == 1 && permuted[1] == 3 && permuted[2] == 2 && permuted[3] == 4);
    rope_apply_interleaved(permuted, &table, &one, 1, 1, 4, 4);
    float back[4];
    rope_rows_to_half(back, permuted, 1, 4, 1);
    ck_assert_mem_eq(back, half, sizeof back);
    rope_table_free(&table);
}
END_TEST

START_TEST(case_19_theta_decides)
{
    const int32_t three = 3;
    const double expected[] = {-1.695592537, 1.4226502,   2.978986532, 3.999241035,
                               -4.808842475, 6.162472427, 7.008968487, 8.000379437};
    struct rope_table table = make_table(8, 1e6, 4);
    float x[] = {1, 2, 3, 4, 5, 6, 7, 8};
    rope_apply_half(x, &table, &three, 1, 1, 8, 8);
    assert_near(x, expected, 8, 5e-9, 8 * unit32);
    rope_table_free(&table);
    table = make_table(8, 1e4, 4);
    float y[] = {1, 2, 3, 4, 5, 6, 7, 8};
    rope_apply_half(y, &table, &three, 1, 1, 8, 8);
    assert_near(&y[1], &(double){0.137551738}, 1, 5e-9 + 8 * unit32, 0.0);
    rope_table_free(&table);
}
END_TEST

/* With two dimensions the frequency is 1 whatever theta is: the score is the cosine of the distance. */
START_TEST(case_35_decode_position_off_by_one)
{
    struct rope_table table = make_table(2, 12345.0, 6);
    float x[] = {1, 0, 1, 0};
    rope_apply_half(x, &table, (const int32_t[]){5, 3}, 2, 1, 2, 2);
    float score = x[0] * x[2] + x[1] * x[3];
    assert_near(&score, &(double){-0.4161468365}, 1, 4 * unit32, 0.0);
    float late[] = {1, 0, 1, 0};
    rope_apply_half(late, &table, (const int32_t[]){5, 2}, 2, 1, 2, 2);
    score = late[0] * late[2] + late[1] * late[3];
    assert_near(&score, &(double){-0.9899924966}, 1, 4 * unit32, 0.0);
    rope_table_free(&table);
}
END_TEST

/* ---- Properties ---- */

/* q . k after rotation, in float64. */
static double score(enum rope_layout layout, const double *q, const double *k, double m, double n,
                    double theta, int head_dim)
{
    double inv_freq[PAIRS], cosine[PAIRS], sine[PAIRS], a[DIM], b[DIM], sum = 0.0;
    rope_inv_freq(inv_freq, head_dim, theta);
    memcpy(a, q, (size_t)head_dim * sizeof *a);
    memcpy(b, k, (size_t)head_dim * sizeof *b);
    rope_angles(cosine, sine, inv_freq, head_dim / 2, m);
    rope_rotate_f64(a, layout, cosine, sine, head_dim);
    rope_angles(cosine, sine, inv_freq, head_dim / 2, n);
    rope_rotate_f64(b, layout, cosine, sine, head_dim);
    for (int i = 0; i < head_dim; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

START_TEST(a_score_depends_on_the_distance)
{
    struct rng rng;
    rng_init(&rng, 3);
    for (int trial = 0; trial < 500; trial++) {
        double q[DIM] = {0}, k[DIM] = {0};
        int head_dim = 2 * (1 + rng_below(&rng, PAIRS));
        for (int i = 0; i < head_dim; i++) {
            q[i] = rng_normal(&rng);
            k[i] = rng_normal(&rng);
        }
        enum rope_layout layout = trial % 2 == 0 ? ROPE_HALF : ROPE_INTERLEAVED;
        int m = rng_below(&rng, 5000), n = rng_below(&rng, 5000), shift = rng_below(&rng, 1000000);
        double here = score(layout, q, k, m, n, 1e4, head_dim);
        double there = score(layout, q, k, m + shift, n + shift, 1e4, head_dim);
        double relative = score(layout, q, k, 0, n - m, 1e4, head_dim);
        /* Both angles are off by up to 2^-53 of themselves; |q| |k| is the largest change of a score per radian. */
        double bound = 1e-12 + 8 * 0x1p-53 * 1e6 * head_dim;
        assert_near64(&there, &here, 1, bound, 0.0);
        assert_near64(&relative, &here, 1, bound, 0.0);
        ck_assert(fabs(here - score(layout, q, k, m, n + 1, 1e4, head_dim)) > 0.0);
    }
}
END_TEST

START_TEST(position_0_changes_nothing_and_norms_are_kept)
{
    struct rope_table table = make_table(DIM, 1e6, 101);
    struct rng rng;
    rng_init(&rng, 4);
    for (int layout = ROPE_HALF; layout <= ROPE_INTERLEAVED; layout++) {
        float x[2 * DIM], before[2 * DIM];
        rng_fill_normal(&rng, x, 2 * DIM, 1.0);
        memcpy(before, x, sizeof x);
        rope_apply(x, layout, &table, (const int32_t[]){0, 100}, 2, 1, DIM, DIM);
        ck_assert_mem_eq(x, before, DIM * sizeof *x);
        double norm = 0.0, norm_before = 0.0;
        for (int i = DIM; i < 2 * DIM; i++) {
            norm += (double)x[i] * (double)x[i];
            norm_before += (double)before[i] * (double)before[i];
        }
        assert_near64(&norm, &norm_before, 1, 0.0, 8 * unit32);
        ck_assert(fabs((double)x[DIM] - (double)before[DIM]) > 1e-3);
    }
    rope_table_free(&table);
}
END_TEST

/* [batch, seq, heads, dim], [batch, heads, seq, dim] and packed [tokens, heads, dim] are one function. */
START_TEST(three_shapes_give_the_same_numbers)
{
    struct rope_table table = make_table(8, 1e4, 50);
    const int32_t position[] = {0,  1, 2, 40,
                                41, 42}; /* two sequences of three tokens, each with positions of its own */
    enum { B = 2, L = 3, H = 4, D = 8, N = B * L * H * D };
    float x[N], by_head[N], packed[N];
    struct rng rng;
    rng_init(&rng, 5);
    rng_fill_normal(&rng, x, N, 1.0);
    memcpy(packed, x, sizeof x);
    for (int b = 0; b < B; b++) {
        for (int l = 0; l < L; l++) {
            for (int h = 0; h < H; h++) {
                memcpy(by_head + ((b * H + h) * L + l) * D, x + ((b * L + l) * H + h) * D, D * sizeof *x);
            }
        }
    }
    for (int b = 0; b < B; b++) {
        rope_apply_half(x + b * L * H * D, &table, position + b * L, L, H, H * D, D);
        rope_apply_half(by_head + b * L * H * D, &table, position + b * L, L, H, D, L * D);
    }
    rope_apply_half(packed, &table, position, B * L, H, H * D, D);
    ck_assert_mem_eq(packed, x, sizeof x);
    for (int b = 0; b < B; b++) {
        for (int l = 0; l < L; l++) {
            for (int h = 0; h < H; h++) {
                ck_assert_mem_eq(by_head + ((b * H + h) * L + l) * D, x + ((b * L + l) * H + h) * D,
                                 D * sizeof *x);
            }
        }
    }
    rope_table_free(&table);
}
END_TEST

/* Q, K and V side by side in one row: only what the strides name is touched. */
START_TEST(what_lies_between_the_heads_is_not_touched)
{
    struct rope_table table = make_table(4, 1e4, 10);
    for (int layout = ROPE_HALF; layout <= ROPE_INTERLEAVED; layout++) {
        float x[2 * 16];
        for (int i = 0; i < 32; i++) {
            x[i] = i % 16 < 12 && i % 16 % 6 < 4 ? 1.0f : NAN;
        }
        rope_apply(x, layout, &table, (const int32_t[]){3, 9}, 2, 2, 16, 6);
        for (int i = 0; i < 32; i++) {
            ck_assert_int_eq(isnan(x[i]) != 0, !(i % 16 < 12 && i % 16 % 6 < 4));
        }
    }
    rope_table_free(&table);
}
END_TEST

/* A projection W x + b, its rows permuted: with the biases the half layout gives the same scores, without them not. */
START_TEST(a_converted_projection_gives_the_same_scores)
{
    enum { H = 3, D = 8, IN = 5 };
    float w[2][H * D * IN], bias[2][H * D], w_half[H * D * IN], bias_half[H * D], x[IN];
    float projected[2][H * D], converted[2][H * D], unbiased[2][H * D];
    const int32_t position[] = {9, 4};
    struct rope_table table = make_table(D, 1e4, 10);
    struct rng rng;
    rng_init(&rng, 6);
    rng_fill_normal(&rng, x, IN, 1.0);
    for (int p = 0; p < 2; p++) { /* the query's projection, then the key's */
        rng_fill_normal(&rng, w[p], H * D * IN, 1.0);
        rng_fill_normal(&rng, bias[p], H * D, 1.0);
        rope_rows_to_half(w_half, w[p], H, D, IN);
        rope_rows_to_half(bias_half, bias[p], H, D, 1);
        for (int r = 0; r < H * D; r++) {
            float sum = 0.0f, sum_half = 0.0f;
            for (int c = 0; c < IN; c++) {
                sum += w[p][r * IN + c] * x[c];
                sum_half += w_half[r * IN + c] * x[c];
            }
            projected[p][r] = sum + bias[p][r];
            converted[p][r] = sum_half + bias_half[r];
            unbiased[p][r] = sum_half + bias[p][r];
        }
        rope_apply_interleaved(projected[p], &table, &position[p], 1, H, 0, D);
        rope_apply_half(converted[p], &table, &position[p], 1, H, 0, D);
        rope_apply_half(unbiased[p], &table, &position[p], 1, H, 0, D);
    }
    for (int h = 0; h < H; h++) {
        double as_trained = 0.0, after = 0.0, forgotten = 0.0;
        for (int i = h * D; i < (h + 1) * D; i++) {
            as_trained += (double)projected[0][i] * (double)projected[1][i];
            after += (double)converted[0][i] * (double)converted[1][i];
            forgotten += (double)unbiased[0][i] * (double)unbiased[1][i];
        }
        assert_near64(&after, &as_trained, 1, 1e-13, 0.0); /* the same products in another order */
        ck_assert(fabs(forgotten - as_trained) > 0.1);
    }
    float back[H * D];
    rope_rows_to_interleaved(back, bias_half, H, D, 1);
    ck_assert_mem_eq(back, bias[1], sizeof back);
    rope_table_free(&table);
}
END_TEST

START_TEST(a_position_outside_the_table_is_a_callers_bug)
{
    struct rope_table table = make_table(4, 1e4, 10);
    float x[4] = {1, 2, 3, 4};
    rope_apply_half(x, &table, (const int32_t[]){10}, 1, 1, 4, 4);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("rope");
    add_test(suite, "float64 rotation", both_layouts_agree_with_float64);
    add_test(suite, "float32 rotation", float32_with_our_table_agrees_with_float64);
    add_test(suite, "float32 given Hugging Face's angles", float32_given_hf_angles_is_hf);
    add_test(suite, "bf16 given Hugging Face's angles", bf16_given_hf_angles_is_hf_bit_for_bit);
    add_test(suite, "case 7: layouts", case_7_the_two_layouts);
    add_test(suite, "case 19: theta", case_19_theta_decides);
    add_test(suite, "case 35: decode position", case_35_decode_position_off_by_one);
    add_test(suite, "a score depends on the distance", a_score_depends_on_the_distance);
    add_test(suite, "position 0, norms", position_0_changes_nothing_and_norms_are_kept);
    add_test(suite, "three shapes", three_shapes_give_the_same_numbers);
    add_test(suite, "strides", what_lies_between_the_heads_is_not_touched);
    add_test(suite, "converted projections", a_converted_projection_gives_the_same_scores);
    add_abort_test(suite, "a position outside the table", a_position_outside_the_table_is_a_callers_bug);
    return suite;
}
