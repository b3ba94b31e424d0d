#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/dropout.h"
#include "tests/support/test.h"

enum { N = 200000 };

static float *ones(void)
{
    float *x = test_alloc(N * sizeof *x);
    for (int i = 0; i < N; i++) {
        x[i] = 1.0f;
    }
    return x;
}

static bool same(const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i]) {
            return false;
        }
    }
    return true;
}

/* What is kept is scaled by 1/(1-rate), everything else is 0: two values and no third. The share of zeros of N coins
 * lies within 5 standard deviations (a seed that fails would be one in two million). */
START_TEST(training_drops_a_share_and_keeps_the_mean)
{
    static const double rates[] = {0.1, 0.5, 0.9};
    for (int r = 0; r < 3; r++) {
        float *x = ones();
        struct rng rng;
        rng_init(&rng, 1);
        dropout_apply(x, N, rates[r], &rng);
        int dropped = 0;
        double sum = 0;
        for (int i = 0; i < N; i++) {
            ck_assert(x[i] == 0.0f || x[i] == (float)(1.0 / (1.0 - rates[r])));
            dropped += x[i] == 0.0f;
            sum += (double)x[i];
        }
        double deviation = sqrt(rates[r] * (1.0 - rates[r]) / N);
        ck_assert(fabs((double)dropped / N - rates[r]) <= 5 * deviation);
        ck_assert(fabs(sum / N - 1.0) <= 5 * deviation / (1.0 - rates[r]));
        free(x);
    }
}
END_TEST

START_TEST(inference_and_rate_0_change_nothing)
{
    float x[4] = {1.5f, -2.0f, 0.0f, 3.25f};
    const float before[4] = {1.5f, -2.0f, 0.0f, 3.25f};
    struct rng rng;
    rng_init(&rng, 9);
    dropout_apply(x, 4, 0.1, NULL);
    ck_assert(same(x, before, 4));
    dropout_apply(x, 4, 0.0, &rng);
    ck_assert(same(x, before, 4));
    ck_assert_uint_eq(rng.state, 9); /* nothing was drawn */
}
END_TEST

START_TEST(the_seed_decides_the_mask)
{
    float *masks[3];
    for (int k = 0; k < 3; k++) {
        struct rng rng;
        rng_init(&rng, k == 2 ? 8 : 7);
        masks[k] = ones();
        dropout_apply(masks[k], N, 0.5, &rng);
    }
    ck_assert(same(masks[0], masks[1], N));
    ck_assert(!same(masks[0], masks[2], N));
    for (int k = 0; k < 3; k++) {
        free(masks[k]);
    }
}
END_TEST

/* One number is drawn per element, in order: what the mask of a longer array starts with is the mask of a shorter. */
START_TEST(one_draw_per_element)
{
    struct rng rng;
    struct rng expected;
    float x[100];
    for (int i = 0; i < 100; i++) {
        x[i] = 1.0f;
    }
    rng_init(&rng, 3);
    rng_init(&expected, 3);
    dropout_apply(x, 100, 0.25, &rng);
    for (int i = 0; i < 100; i++) {
        ck_assert_int_eq(x[i] != 0.0f, rng_uniform(&expected) >= 0.25);
    }
    ck_assert_uint_eq(rng.state, expected.state);
}
END_TEST

START_TEST(a_dropped_infinity_is_zero)
{
    struct rng rng;
    rng_init(&rng, 4);
    for (int i = 0; i < 64; i++) {
        float x = INFINITY;
        dropout_apply(&x, 1, 0.5, &rng);
        ck_assert(x == 0.0f || x == INFINITY);
    }
}
END_TEST

START_TEST(a_rate_of_1_is_the_callers_bug)
{
    float x = 1.0f;
    dropout_apply(&x, 1, 1.0, NULL);
}
END_TEST

START_TEST(a_rate_that_is_not_a_number_is_the_callers_bug)
{
    float x = 1.0f;
    dropout_apply(&x, 1, (double)NAN, NULL);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("dropout");
    add_test(suite, "training drops a share and keeps the mean", training_drops_a_share_and_keeps_the_mean);
    add_test(suite, "inference and rate 0 change nothing", inference_and_rate_0_change_nothing);
    add_test(suite, "the seed decides the mask", the_seed_decides_the_mask);
    add_test(suite, "one draw per element", one_draw_per_element);
    add_test(suite, "a dropped infinity is zero", a_dropped_infinity_is_zero);
    add_abort_test(suite, "a rate of 1", a_rate_of_1_is_the_callers_bug);
    add_abort_test(suite, "a rate that is not a number", a_rate_that_is_not_a_number_is_the_callers_bug);
    return suite;
}
