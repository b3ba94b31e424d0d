#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/sinusoidal.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

/* The goldens are exact values rounded once. Ours round the frequency and its product with the position: the angle is
 * off by a few units of 2^-53 relative, which the sine passes on: 4 * 2^-53 * position, and 1e-12 for the rest. */
static double bound(double position)
{
    return 1e-12 + 4 * 0x1p-53 * fabs(position);
}

static void check_table(const char *tensor, int d_model, int n_positions)
{
    struct golden golden;
    size_t n = 0;
    golden_open(&golden, "ch1_sinusoidal");
    double *expected = golden_f64(&golden, tensor, &n);
    ck_assert_uint_eq(n, (size_t)d_model * (size_t)n_positions);
    double *row = test_alloc((size_t)d_model * sizeof *row);
    for (int p = 0; p < n_positions; p++) {
        const double *expected_row = expected + (size_t)p * (size_t)d_model;
        sinusoidal_row(row, p, d_model, 10000);
        assert_near64(row, expected_row, (size_t)d_model, bound(p), 0);
    }
    free(row);
    free(expected);
    golden_close(&golden);
}

START_TEST(tables_match_the_goldens)
{
    check_table("pe.4.8", 4, 8);
    check_table("pe.8.16", 8, 16);
    check_table("pe.64.128", 64, 128);
}
END_TEST

START_TEST(an_odd_width_matches_the_golden)
{
    check_table("pe.5.6", 5, 6);
}
END_TEST

START_TEST(rows_far_out_match_the_golden)
{
    struct golden golden;
    size_t n_rows = 0;
    double row[512];
    golden_open(&golden, "ch1_sinusoidal");
    int64_t *position = golden_i64(&golden, "pe.512.positions", &n_rows);
    double *expected = golden_f64(&golden, "pe.512.rows", NULL);
    for (size_t r = 0; r < n_rows; r++) {
        sinusoidal_row(row, (double)position[r], 512, 10000);
        assert_near64(row, expected + r * 512, 512, bound((double)position[r]), 0);
    }
    ck_assert_int_eq(position[n_rows - 1], 100000);
    free(position);
    free(expected);
    golden_close(&golden);
}
END_TEST

/* Digits that anyone can check with a calculator, and the mistake they guard against: an exponent doubled (the pair's
 * index used as if it counted elements) gives 0.99995 for the cosine of the second pair's tenth power. */
START_TEST(position_1_by_hand)
{
    static const double four[] = {0.8414709848, 0.5403023059, 0.0099998333, 0.9999500004};
    static const double five[] = {0.8414709848, 0.5403023059, 0.0251162229, 0.9996845379, 0.0006309573};
    double row[5];
    sinusoidal_row(row, 1, 4, 10000);
    assert_near64(row, four, 4, 5e-11, 0);
    sinusoidal_row(row, 1, 5, 10000);
    assert_near64(row, five, 5, 5e-11, 0);
}
END_TEST

START_TEST(an_odd_width_stays_inside_its_row)
{
    double table[3 * 7 + 1];
    table[3 * 7] = 42.0;
    for (int position = 0; position < 3; position++) {
        sinusoidal_row(table + (ptrdiff_t)position * 7, position, 7, 100);
    }
    ck_assert(table[3 * 7] == 42.0);
    sinusoidal_row(table + 3 * 7 - 1, 5, 1, 100); /* one element: a sine and no cosine */
    ck_assert(table[3 * 7] == 42.0);
    ck_assert(table[3 * 7 - 1] == sin(5.0));
}
END_TEST

START_TEST(frequencies_fall_from_1_to_almost_1_over_base)
{
    ck_assert_int_eq(sinusoidal_pairs(8), 4);
    ck_assert_int_eq(sinusoidal_pairs(7), 4);
    ck_assert_int_eq(sinusoidal_pairs(1), 1);
    double got[4];
    for (int i = 0; i < 4; i++) {
        got[i] = sinusoidal_frequency(i, 8, 10000);
    }
    static const double expected[] = {1, 0.1, 0.01, 0.001};
    assert_near64(got, expected, 4, 0, 1e-15);
}
END_TEST

/* x + float32(pe) in float32, one rounding: bit for bit but for a table entry at a rounding tie. */
START_TEST(adding_matches_the_golden)
{
    struct golden golden;
    struct sinusoidal encoding;
    struct error error;
    size_t n = 0;
    golden_open(&golden, "ch1_sinusoidal");
    float *x = golden_f32(&golden, "add.x", &n);
    double *expected = golden_f64(&golden, "add.out", NULL);
    ck_assert_uint_eq(n, 7 * 3 * 64);
    ck_assert_int_eq(sinusoidal_init(&encoding, 64, 128, 10000, &error), STATUS_OK);
    ck_assert_int_eq(sinusoidal_add(x, &encoding, 7, 3, &error), STATUS_OK);
    assert_near(x, expected, n, 1e-7, 1e-7);
    sinusoidal_free(&encoding);
    sinusoidal_free(&encoding); /* a zeroed struct */
    free(x);
    free(expected);
    golden_close(&golden);
}
END_TEST

START_TEST(a_sequence_longer_than_the_table_is_refused)
{
    struct sinusoidal encoding;
    struct error error;
    float x[3] = {1, 2, 3};
    ck_assert_int_eq(sinusoidal_init(&encoding, 1, 2, 10000, &error), STATUS_OK);
    ck_assert_int_eq(sinusoidal_add(x, &encoding, 3, 1, &error), STATUS_LIMIT);
    ck_assert_str_eq(error.message, "a sequence of 3 tokens: the table has rows for 2");
    ck_assert(x[0] == 1 && x[1] == 2 && x[2] == 3);
    sinusoidal_free(&encoding);
}
END_TEST

START_TEST(a_table_too_large_for_memory_is_an_error)
{
    struct sinusoidal encoding;
    struct error error;
    ck_assert_int_eq(sinusoidal_init(&encoding, 100000, 2000000000, 10000, &error), STATUS_NO_MEMORY);
    ck_assert_ptr_null(encoding.table);
    ck_assert_ptr_nonnull(strstr(error.message, "out of memory"));
}
END_TEST

START_TEST(a_width_of_0_is_the_callers_bug)
{
    double row = 0;
    sinusoidal_row(&row, 1, 0, 10000);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("sinusoidal");
    add_test(suite, "tables match the goldens", tables_match_the_goldens);
    add_test(suite, "an odd width matches the golden", an_odd_width_matches_the_golden);
    add_test(suite, "rows far out match the golden", rows_far_out_match_the_golden);
    add_test(suite, "position 1 by hand", position_1_by_hand);
    add_test(suite, "an odd width stays inside its row", an_odd_width_stays_inside_its_row);
    add_test(suite, "frequencies fall", frequencies_fall_from_1_to_almost_1_over_base);
    add_test(suite, "adding matches the golden", adding_matches_the_golden);
    add_test(suite, "a sequence longer than the table", a_sequence_longer_than_the_table_is_refused);
    add_test(suite, "a table too large for memory", a_table_too_large_for_memory_is_an_error);
    add_abort_test(suite, "a width of 0", a_width_of_0_is_the_callers_bug);
    return suite;
}
