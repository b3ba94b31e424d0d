#include "common/rope_table.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/bf16.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

/* The golden: 2 sequences of 5 tokens with positions of their own. */
enum { TOKENS = 10, DIM = 64, PAIRS = DIM / 2 };

static const double unit32 = 0x1p-24; /* largest relative error of one rounding to float32 */

static struct rope_table make_table(int head_dim, double theta, int n_positions)
{
    struct rope_table table;
    struct error error;
    ck_assert_int_eq(rope_table_init(&table, head_dim, theta, n_positions, &error), STATUS_OK);
    return table;
}

START_TEST(frequencies_are_those_of_the_reference)
{
    struct golden golden;
    double got[PAIRS];
    golden_open(&golden, "ch3_rope");
    double *expected = golden_f64(&golden, "inv_freq64.10000", NULL);
    rope_inv_freq(got, DIM, 1e4);
    assert_near64(got, expected, PAIRS, 0.0, 1e-14);
    free(expected);
    expected = golden_f64(&golden, "inv_freq64.1000000", NULL);
    rope_inv_freq(got, DIM, 1e6);
    assert_near64(got, expected, PAIRS, 0.0, 1e-14);
    free(expected);
    /* Hugging Face's, in float32: the power is rounded and then its reciprocal. */
    expected = golden_f64(&golden, "inv_freq", NULL);
    assert_near64(got, expected, PAIRS, 0.0, 4 * unit32);
    free(expected);
    golden_close(&golden);
}
END_TEST

START_TEST(float64_angles_are_exact)
{
    struct golden golden;
    golden_open(&golden, "ch3_rope");
    int32_t *position = golden_i32(&golden, "hf.positions", NULL);
    double *cosine = golden_f64(&golden, "f64.cos", NULL);
    double *sine = golden_f64(&golden, "f64.sin", NULL);
    double inv_freq[PAIRS], c[PAIRS], s[PAIRS];
    rope_inv_freq(inv_freq, DIM, 1e6);
    for (int t = 0; t < TOKENS; t++) {
        double bound = 1e-12 + 4 * 0x1p-53 * position[t];
        rope_angles(c, s, inv_freq, PAIRS, position[t]);
        assert_near64(c, cosine + t * PAIRS, PAIRS, bound, 0.0);
        assert_near64(s, sine + t * PAIRS, PAIRS, bound, 0.0);
    }
    free(position);
    free(cosine);
    free(sine);
    golden_close(&golden);
}
END_TEST

/* One column of angles: ours and Hugging Face's against float64. */
static void compare_tables(const float *ours, const float *theirs, const double *exact, int position)
{
    for (int i = 0; i < PAIRS; i++) {
        double our_error = fabs((double)ours[i] - exact[i]);
        double their_error = fabs((double)theirs[i] - exact[i]);
        /* One rounding of a value up to 1, and the angle's own in float64. */
        ck_assert(our_error <= 0.5 * 0x1p-23 * fabs(exact[i]) + 0x1p-50 * position);
        /* Two roundings of a float32 angle, up to position radians (the frequency, the product; the frequency's power
         * and reciprocal are two more). */
        ck_assert(their_error <= 4 * unit32 * position + 2 * unit32);
        if (ours[i] != theirs[i]) {
            ck_assert(our_error <= their_error);
        }
    }
}

START_TEST(the_table_differs_from_hf_only_where_float32_angles_are_off)
{
    struct golden golden;
    golden_open(&golden, "ch3_rope");
    int32_t *position = golden_i32(&golden, "hf.positions", NULL);
    double *exact_cos = golden_f64(&golden, "f64.cos", NULL);
    double *exact_sin = golden_f64(&golden, "f64.sin", NULL);
    float *hf_cos = golden_f32(&golden, "hf.f32.cos", NULL);
    float *hf_sin = golden_f32(&golden, "hf.f32.sin", NULL);
    struct rope_table table = make_table(DIM, 1e6, 131072);
    double worst = 0.0; /* of their sines */
    for (int t = 0; t < TOKENS; t++) {
        size_t row = (size_t)position[t] * PAIRS;
        compare_tables(table.cosine + row, hf_cos + t * DIM, exact_cos + t * PAIRS, position[t]);
        compare_tables(table.sine + row, hf_sin + t * DIM, exact_sin + t * PAIRS, position[t]);
        for (int i = 0; i < PAIRS; i++) {
            worst = fmax(worst, fabs((double)hf_sin[t * DIM + i] - exact_sin[t * PAIRS + i]));
        }
    }
    /* Case 13: at position 131071 their float32 sine is 2.2e-3 from the truth. */
    assert_near64(&worst, &(double){2.2e-3}, 1, 0.05e-3, 0.0);
    rope_table_free(&table);
    free(position);
    free(exact_cos);
    free(exact_sin);
    free(hf_cos);
    free(hf_sin);
    golden_close(&golden);
}
END_TEST

/* One value of a bfloat16 table, where it differs from Hugging Face's: their angle must be to blame. */
static void check_bf16_value(float ours, uint16_t theirs, double exact, int position)
{
    uint16_t rounded = bf16_from_f32(ours);
    if (rounded == theirs) {
        return;
    }
    double our_error = fabs((double)bf16_to_f32(rounded) - exact);
    double their_error = fabs((double)bf16_to_f32(theirs) - exact);
    ck_assert(our_error <= their_error);
    /* Beyond a rounding to bfloat16 (2^-9 of 1, the two may fall to different sides), only the float32 angle. */
    ck_assert(their_error <= 0x1p-8 + 4 * unit32 * position);
}

START_TEST(the_bf16_table_differs_from_hf_only_where_float32_angles_are_off)
{
    struct golden golden;
    golden_open(&golden, "ch3_rope");
    int32_t *position = golden_i32(&golden, "hf.positions", NULL);
    double *exact_cos = golden_f64(&golden, "f64.cos", NULL);
    double *exact_sin = golden_f64(&golden, "f64.sin", NULL);
    uint16_t *hf_cos = golden_bf16(&golden, "hf.bf16.cos", NULL);
    uint16_t *hf_sin = golden_bf16(&golden, "hf.bf16.sin", NULL);
    struct rope_table table = make_table(DIM, 1e6, 131072);
    for (int t = 0; t < TOKENS; t++) {
        size_t row = (size_t)position[t] * PAIRS;
        for (int i = 0; i < PAIRS; i++) {
            ck_assert_uint_eq(hf_cos[t * DIM + PAIRS + i], hf_cos[t * DIM + i]);
            ck_assert_uint_eq(hf_sin[t * DIM + PAIRS + i], hf_sin[t * DIM + i]);
            check_bf16_value(table.cosine[row + (size_t)i], hf_cos[t * DIM + i], exact_cos[t * PAIRS + i],
                             position[t]);
            check_bf16_value(table.sine[row + (size_t)i], hf_sin[t * DIM + i], exact_sin[t * PAIRS + i],
                             position[t]);
        }
    }
    rope_table_free(&table);
    free(position);
    free(exact_cos);
    free(exact_sin);
    free(hf_cos);
    free(hf_sin);
    golden_close(&golden);
}
END_TEST

START_TEST(case_13_half_precision_angles)
{
    double inv_freq[16], c[16], s[16];
    rope_inv_freq(inv_freq, 32, 1e4);
    double angle = 1857 * inv_freq[1];
    rope_angles(c, s, inv_freq, 16, 1857);
    assert_near64(&angle, &(double){1044.26784}, 1, 5e-6, 0.0);
    assert_near64(&c[1], &(double){0.306693}, 1, 5e-7, 0.0);
    /* The table keeps it: float32 is for the cosine, not for the angle. */
    struct rope_table table = make_table(32, 1e4, 1858);
    assert_near(&table.cosine[1857 * 16 + 1], &c[1], 1, 0.0, unit32);
    rope_table_free(&table);
}
END_TEST

START_TEST(a_table_grows_without_changing_its_rows)
{
    struct rope_table grown = make_table(DIM, 1e6, 16), whole = make_table(DIM, 1e6, 40);
    struct error error;
    ck_assert_int_eq(rope_table_reserve(&grown, 17, &error), STATUS_OK);
    ck_assert_int_eq(rope_table_reserve(&grown, 5, &error), STATUS_OK); /* never shrinks */
    ck_assert_int_eq(grown.n_positions, 17);
    ck_assert_int_eq(rope_table_reserve(&grown, 40, &error), STATUS_OK);
    ck_assert_mem_eq(grown.cosine, whole.cosine, 40 * PAIRS * sizeof(float));
    ck_assert_mem_eq(grown.sine, whole.sine, 40 * PAIRS * sizeof(float));
    rope_table_free(&grown);
    rope_table_free(&whole);
    rope_table_free(&whole); /* of a zeroed struct */
    struct rope_table empty = make_table(DIM, 1e6, 0);
    ck_assert_int_eq(rope_table_reserve(&empty, 1, &error), STATUS_OK);
    ck_assert(empty.cosine[0] == 1.0f && empty.sine[0] == 0.0f);
    ck_assert_int_eq(rope_table_reserve(&empty, 2, &error), STATUS_OK); /* the one row is kept */
    ck_assert(empty.cosine[0] == 1.0f && empty.sine[0] == 0.0f);
    rope_table_free(&empty);
}
END_TEST

START_TEST(a_table_that_does_not_fit_memory_stays_as_it_was)
{
    struct rope_table table = make_table(1 << 20, 1e6, 1);
    struct error error = {STATUS_OK, ""};
    float *cosine = table.cosine;
    ck_assert_int_eq(rope_table_reserve(&table, INT_MAX, &error), STATUS_NO_MEMORY);
    ck_assert(strstr(error.message, "RoPE table: out of memory") != NULL);
    ck_assert_int_eq(table.n_positions, 1);
    ck_assert_ptr_eq(table.cosine, cosine);
    rope_table_free(&table);
    ck_assert_int_eq(rope_table_init(&table, 1 << 20, 1e6, INT_MAX, &error), STATUS_NO_MEMORY);
    ck_assert_ptr_null(table.inv_freq);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("rope_table");
    add_test(suite, "frequencies", frequencies_are_those_of_the_reference);
    add_test(suite, "float64 angles are exact", float64_angles_are_exact);
    add_test(suite, "table against Hugging Face's",
             the_table_differs_from_hf_only_where_float32_angles_are_off);
    add_test(suite, "bf16 table against Hugging Face's",
             the_bf16_table_differs_from_hf_only_where_float32_angles_are_off);
    add_test(suite, "case 13: half-precision angles", case_13_half_precision_angles);
    add_test(suite, "growth", a_table_grows_without_changing_its_rows);
    add_test(suite, "out of memory", a_table_that_does_not_fit_memory_stays_as_it_was);
    return suite;
}
