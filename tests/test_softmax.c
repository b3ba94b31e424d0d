#include "common/softmax.h"

#include <math.h>
#include <stdlib.h>

#include "tests/support/test.h"

/* Float32 e^ and one rounding of the scale: a few units in the last place of weights up to 1. */
static const double tolerance = 4 * 0x1p-24;

/* Expected: e^(x - max) / sum, by hand (cases.md 57: a maximum that starts at 0 gives 0/0 for the second). */
START_TEST(shifts_by_the_maximum)
{
    float large[] = {1000, 999, 998};
    const double of_large[] = {0.66524095577482179, 0.24472847105479767, 0.09003057317038046};
    softmax(large, 3);
    assert_near(large, of_large, 3, tolerance, 0);

    float small[] = {-1000, -1001};
    const double of_small[] = {0.73105857863000490, 0.26894142136999512};
    softmax(small, 2);
    assert_near(small, of_small, 2, tolerance, 0);
}
END_TEST

START_TEST(gives_hidden_elements_nothing)
{
    float x[] = {-INFINITY, 5, -INFINITY, 5};
    const double expected[] = {0, 0.5, 0, 0.5};
    softmax(x, 4);
    assert_near(x, expected, 4, 0, 0);
}
END_TEST

START_TEST(turns_a_hidden_row_into_zeros)
{
    float x[] = {-INFINITY, -INFINITY, -INFINITY};
    const double zeros[3] = {0};
    softmax(x, 3);
    assert_near(x, zeros, 3, 0, 0);
    softmax(x, 0); /* nothing to do, nothing touched */
    assert_near(x, zeros, 3, 0, 0);
}
END_TEST

/* A NaN is a fault upstream: it must come out, also where everything else is hidden. */
START_TEST(does_not_hide_nan)
{
    float x[] = {-INFINITY, NAN, -INFINITY};
    softmax(x, 3);
    ck_assert(isnan(x[1]));
    float y[] = {NAN, 7};
    softmax(y, 2);
    ck_assert(isnan(y[0]) && isnan(y[1]));
}
END_TEST

START_TEST(sums_to_one_over_a_long_row)
{
    enum { N = 100000 };
    float *x = test_alloc(N * sizeof *x);
    double *expected = test_alloc(N * sizeof *expected);
    double sum = 0;
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 97) * 0.125F;
        sum += exp((double)x[i] - 12.0);
    }
    for (int i = 0; i < N; i++) {
        expected[i] = exp((double)x[i] - 12.0) / sum;
    }
    softmax(x, N);
    assert_near(x, expected, N, 0, tolerance);
    free(x);
    free(expected);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("softmax");
    add_test(suite, "shifts_by_the_maximum", shifts_by_the_maximum);
    add_test(suite, "gives_hidden_elements_nothing", gives_hidden_elements_nothing);
    add_test(suite, "turns_a_hidden_row_into_zeros", turns_a_hidden_row_into_zeros);
    add_test(suite, "does_not_hide_nan", does_not_hide_nan);
    add_test(suite, "sums_to_one_over_a_long_row", sums_to_one_over_a_long_row);
    return suite;
}
