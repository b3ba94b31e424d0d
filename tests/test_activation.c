#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "common/activation.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

enum { N_ACTIVATIONS = ACTIVATION_SILU + 1 };

static void map_f64(double *y, enum activation activation, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        y[i] = activation_f64(activation, x[i]);
    }
}

/* From 0 on, two roundings of exp or erf and a few operations: 1e-15 relative. Below 0 the reference's GELUs lose
 * digits in 1 + erf and 1 + tanh, up to |x| 2^-53 (x = -12: 1.4e-15); ours do not, see the test of the left tail. */
static void compare_with_golden(const struct golden *golden, enum activation activation, const char *tensor,
                                double absolute)
{
    size_t n = 0;
    double *x = golden_f64(golden, "act.x", &n);
    double *expected = golden_f64(golden, tensor, NULL);
    double *got = test_alloc(n * sizeof *got);
    ck_assert_uint_eq(n, 108);
    map_f64(got, activation, x, n);
    assert_near64(got, expected, n, absolute, 1e-15);

    float *got32 = test_alloc(n * sizeof *got32);
    for (size_t i = 0; i < n; i++) { /* every x of the file but -1e30 and 1e30 is a float32 */
        got32[i] = activation_f32(activation, (float)x[i]);
        if (fabs(x[i]) > 1e29 && expected[i] != 0) {
            expected[i] = activation == ACTIVATION_SIGMOID ? 1 : (double)1e30f;
        }
    }
    /* float32: expf is good to one unit, the rest rounds three times. Below FLT_MIN digits get lost one by one. */
    assert_near(got32, expected, n, absolute + (double)FLT_MIN, 4 * (double)FLT_EPSILON);
    free(x);
    free(expected);
    free(got);
    free(got32);
}

START_TEST(values_are_those_of_the_reference)
{
    struct golden golden;
    golden_open(&golden, "ch4_ffn");
    compare_with_golden(&golden, ACTIVATION_SIGMOID, "act.sigmoid", 0);
    compare_with_golden(&golden, ACTIVATION_SILU, "act.silu", 0);
    compare_with_golden(&golden, ACTIVATION_RELU, "act.relu", 0);
    compare_with_golden(&golden, ACTIVATION_GELU, "act.gelu", 2e-15);
    compare_with_golden(&golden, ACTIVATION_GELU_TANH, "act.gelu_tanh", 2e-15);
    golden_close(&golden);
}
END_TEST

START_TEST(the_left_tail_keeps_its_digits)
{
    /* The normal distribution function at -5 and -10, from published tables. */
    const double x[2] = {-5, -10};
    const double expected[2] = {-5 * 2.866515718791939e-07, -10 * 7.619853024160527e-24};
    double got[2];
    map_f64(got, ACTIVATION_GELU, x, 2);
    assert_near64(got, expected, 2, 0, 1e-14);
}
END_TEST

START_TEST(far_from_zero_they_reach_their_limits)
{
    const double right = HUGE_VAL;
    for (int a = 0; a < N_ACTIVATIONS; a++) {
        double limit = a == ACTIVATION_SIGMOID ? 1 : right;
        double slope = a == ACTIVATION_SIGMOID ? 0 : 1;
        ck_assert(activation_f64(a, right) == limit);
        ck_assert(activation_f32(a, HUGE_VALF) == (float)limit);
        ck_assert(activation_derivative(a, right) == slope);
        ck_assert(activation_derivative(a, 1e300) == slope);
        ck_assert(isnan(activation_f64(a, NAN)));
        ck_assert(isnan(activation_f32(a, NAN)));
        if (a == ACTIVATION_IDENTITY) {
            continue;
        }
        ck_assert(activation_f64(a, -right) == 0);
        ck_assert(activation_f64(a, -1e300) == 0);
        ck_assert(activation_f32(a, -HUGE_VALF) == 0);
        ck_assert(activation_f32(a, -FLT_MAX) == 0);
        ck_assert(activation_derivative(a, -right) == 0);
        ck_assert(activation_derivative(a, -1e300) == 0);
    }
}
END_TEST

START_TEST(silu_has_its_minimum_at_one_plus_its_value)
{
    /* silu'(x) = 0 gives silu(x) = 1 + x, and with w = -silu(x): w e^w = 1/e, so w is Lambert's W of 1/e. */
    const double w = 0.27846454276107379;
    const double value[1] = {-w};
    const double zero[1] = {0};
    double got[1] = {activation_f64(ACTIVATION_SILU, -1 - w)};
    assert_near64(got, value, 1, 1e-15, 0);
    got[0] = activation_derivative(ACTIVATION_SILU, -1 - w);
    assert_near64(got, zero, 1, 1e-15, 0);
}
END_TEST

START_TEST(derivatives_are_those_of_the_values)
{
    const double h =
        1e-5; /* central differences: h^2/6 times the third derivative (at most 2), and 1e-16/h */
    for (int a = 0; a < N_ACTIVATIONS; a++) {
        for (int i = -80; i <= 80; i++) {
            double x = 0.1 * i + 0.05; /* never 0, where ReLU has none */
            double expected[1] = {(activation_f64(a, x + h) - activation_f64(a, x - h)) / (2 * h)};
            double got[1] = {activation_derivative(a, x)};
            assert_near64(got, expected, 1, 2e-10, 0);
        }
    }
    ck_assert(activation_derivative(ACTIVATION_RELU, 0) == 0);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("activation");
    add_test(suite, "values are those of the reference", values_are_those_of_the_reference);
    add_test(suite, "the left tail keeps its digits", the_left_tail_keeps_its_digits);
    add_test(suite, "far from zero they reach their limits", far_from_zero_they_reach_their_limits);
    add_test(suite, "SiLU's minimum", silu_has_its_minimum_at_one_plus_its_value);
    add_test(suite, "derivatives are those of the values", derivatives_are_those_of_the_values);
    return suite;
}
