#include <math.h>
#include <string.h>

#include "common/rng.h"
#include "tests/support/test.h"

enum { N = 100000 };

/* The published outputs of splitmix64 for seed 1234567 (the same in every implementation of it). */
START_TEST(the_first_numbers_of_a_seed)
{
    static const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                        4593380528125082431u, 16408922859458223821u};
    struct rng rng;
    rng_init(&rng, 1234567);
    for (int i = 0; i < 5; i++) {
        ck_assert_uint_eq(rng_next(&rng), expected[i]);
    }
}
END_TEST

START_TEST(uniform_numbers_fill_0_to_1)
{
    struct rng rng;
    rng_init(&rng, 5);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < N; i++) {
        double u = rng_uniform(&rng);
        ck_assert(u >= 0.0 && u < 1.0);
        ck_assert(u * 0x1p53 == floor(u * 0x1p53));
        sum += u;
        squares += u * u;
    }
    /* Mean 1/2, mean square 1/3; five standard deviations of the means, sqrt(1/12 n) and sqrt(4/45 n). */
    ck_assert(fabs(sum / N - 0.5) <= 5 * sqrt(1.0 / 12 / N));
    ck_assert(fabs(squares / N - 1.0 / 3) <= 5 * sqrt(4.0 / 45 / N));
}
END_TEST

START_TEST(normal_numbers_have_the_moments_of_a_normal)
{
    struct rng rng;
    rng_init(&rng, 6);
    double sum = 0;
    double squares = 0;
    double fourth = 0;
    for (int i = 0; i < N; i++) {
        double x = rng_normal(&rng);
        ck_assert(isfinite(x));
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
    }
    /* Moments 0, 1, 3 with variances 1, 2, 96: five standard deviations. */
    ck_assert(fabs(sum / N) <= 5 * sqrt(1.0 / N));
    ck_assert(fabs(squares / N - 1) <= 5 * sqrt(2.0 / N));
    ck_assert(fabs(fourth / N - 3) <= 5 * sqrt(96.0 / N));
}
END_TEST

START_TEST(below_n_is_uniform)
{
    struct rng rng;
    int count[7] = {0};
    rng_init(&rng, 7);
    for (int i = 0; i < N; i++) {
        int k = rng_below(&rng, 7);
        ck_assert(k >= 0 && k < 7);
        count[k]++;
    }
    for (int k = 0; k < 7; k++) {
        ck_assert(fabs((double)count[k] / N - 1.0 / 7) <= 5 * sqrt(6.0 / 49 / N));
    }
    ck_assert_int_eq(rng_below(&rng, 1), 0);
    ck_assert_int_ge(rng_below(&rng, 2147483647), 0);
}
END_TEST

START_TEST(filling_draws_in_order_and_scales)
{
    struct rng a;
    struct rng b;
    float x[16];
    rng_init(&a, 8);
    rng_init(&b, 8);
    rng_fill_normal(&a, x, 16, 0.5);
    for (int i = 0; i < 16; i++) {
        ck_assert(x[i] == (float)(0.5 * rng_normal(&b)));
    }
    rng_fill_normal(&a, x, 0, 1.0);
    ck_assert_uint_eq(a.state, b.state);
}
END_TEST

START_TEST(below_0_is_the_callers_bug)
{
    struct rng rng;
    rng_init(&rng, 1);
    rng_below(&rng, 0);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("rng");
    add_test(suite, "the first numbers of a seed", the_first_numbers_of_a_seed);
    add_test(suite, "uniform numbers", uniform_numbers_fill_0_to_1);
    add_test(suite, "normal numbers", normal_numbers_have_the_moments_of_a_normal);
    add_test(suite, "below n", below_n_is_uniform);
    add_test(suite, "filling", filling_draws_in_order_and_scales);
    add_abort_test(suite, "below 0", below_0_is_the_callers_bug);
    return suite;
}
