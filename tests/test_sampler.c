/* Probabilities against transformers' logits processors, and the edges that they leave open. */
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "common/sampler.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

static const struct sampler_settings plain = {false, 1, 0, 1, 1};

static void init(struct sampler *sampler, struct sampler_settings settings, int vocab_size)
{
    struct error error;
    assert_ok(sampler_init(sampler, &settings, vocab_size, 1, &error), &error);
}

START_TEST(probabilities_are_those_of_transformers)
{
    static const struct {
        const char *name;
        struct sampler_settings settings;
    } cases[] = {
        {"penalty1.3.probabilities", {false, 1, 0, 1, 1.3}},
        {"temperature0.7.probabilities", {false, 0.7, 0, 1, 1}},
        {"top_k5.probabilities", {false, 1, 5, 1, 1}},
        {"top_k1.probabilities", {false, 1, 1, 1, 1}},
        {"top_p0.8.probabilities", {false, 1, 0, 0.8, 1}},
        {"top_p0.1.probabilities", {false, 1, 0, 0.1, 1}},
        {"qwen.probabilities", {false, 0.7, 20, 0.8, 1.1}},
    };
    struct golden golden;
    size_t history_shape[GOLDEN_MAX_DIMS];
    golden_open(&golden, "ch6_sampler");
    float *logits = golden_f32(&golden, "logits", NULL);
    int32_t *history = golden_i32(&golden, "history", NULL);
    golden_shape(&golden, "history", history_shape);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static const int three_rows[] = {0, 1, 3}; /* row 2 has ties across the cut of top-p */
        size_t shape[GOLDEN_MAX_DIMS];
        golden_shape(&golden, cases[i].name, shape);
        double *expected = golden_f64(&golden, cases[i].name, NULL);
        for (size_t r = 0; r < shape[0]; r++) {
            struct sampler sampler;
            float row_logits[64];
            float got[64];
            size_t row = shape[0] == 3 ? (size_t)three_rows[r] : r;
            init(&sampler, cases[i].settings, (int)shape[1]);
            memcpy(row_logits, logits + row * shape[1], shape[1] * sizeof *row_logits);
            for (size_t h = 0; h < history_shape[1]; h++) {
                sampler_see(&sampler, history[row * history_shape[1] + h]);
            }
            sampler_probabilities(&sampler, got, row_logits);
            assert_near(got, expected + r * shape[1], shape[1], 1e-6, 0);
            for (size_t k = 0; k < shape[1]; k++) { /* cut off is 0, not small */
                ck_assert_int_eq(got[k] > 0, expected[r * shape[1] + k] > 0);
            }
            sampler_free(&sampler);
        }
        free(expected);
    }
    free(logits);
    free(history);
    golden_close(&golden);
}
END_TEST

START_TEST(the_penalty_counts_once_per_token_and_lowers_negative_logits)
{
    struct sampler sampler;
    struct sampler_settings settings = plain;
    float logits[3] = {2, -2, 1};
    float out[3];
    const double expected[3] = {2 / 1.5, -3, 1};
    settings.repetition_penalty = 1.5;
    init(&sampler, settings, 3);
    sampler_see(&sampler, 0);
    sampler_see(&sampler, 1);
    sampler_see(&sampler, 1);
    sampler_see(&sampler, 3); /* ids that the head does not know are no index */
    sampler_see(&sampler, -1);
    sampler_see(&sampler, INT32_MAX);
    sampler_probabilities(&sampler, out, logits);
    assert_near(logits, expected, 3, 1e-7, 0);
    sampler_free(&sampler);
}
END_TEST

START_TEST(greedy_takes_the_largest_and_the_lowest_id_among_equals)
{
    struct sampler sampler;
    struct sampler_settings settings = plain;
    float logits[5] = {1, 3, 2, 3, -1};
    settings.greedy = true;
    settings.repetition_penalty = 2;
    init(&sampler, settings, 5);
    ck_assert_int_eq(sampler_next(&sampler, logits), 1);
    sampler_see(&sampler, 1);
    ck_assert_int_eq(sampler_next(&sampler, logits), 3); /* the penalty comes first */
    float out[5];
    float again[5] = {1, 3, 2, 3, -1};
    const double expected[5] = {0, 0, 0, 1, 0};
    sampler_probabilities(&sampler, out, again);
    assert_near(out, expected, 5, 0, 0);
    sampler_free(&sampler);
}
END_TEST

START_TEST(top_k_keeps_every_logit_equal_to_the_last)
{
    struct sampler sampler;
    struct sampler_settings settings = plain;
    float logits[6] = {0, 5, 5, 1, 5, 7};
    float out[6];
    const double e = exp(-2);
    const double total = 1 + 3 * e;
    const double expected[6] = {0, e / total, e / total, 0, e / total, 1 / total};
    settings.top_k = 2;
    init(&sampler, settings, 6);
    sampler_probabilities(&sampler, out, logits);
    assert_near(out, expected, 6, 1e-7, 0);
    sampler_free(&sampler);
}
END_TEST

START_TEST(top_p_that_is_reached_exactly_is_enough)
{
    struct sampler sampler;
    struct sampler_settings settings = plain;
    float logits[4] = {1, 1, 1, 1};
    float out[4];
    const double expected[4] = {0.5, 0.5, 0, 0};
    settings.top_p = 0.5;
    init(&sampler, settings, 4);
    sampler_probabilities(&sampler, out, logits);
    assert_near(out, expected, 4, 0, 0);
    sampler_free(&sampler);
}
END_TEST

START_TEST(extreme_settings_give_probabilities_all_the_same)
{
    static const struct sampler_settings extreme[] = {
        {false, 1e-300, 0, 1, 1},    {false, 1e300, 0, 1, 1},
        {false, 1e-300, 3, 0.5, 1},  {false, 1, 0, 0, 1},
        {false, 1, INT32_MAX, 1, 1}, {false, 1, 4, 1, 1},
        {false, 1, 0, 1, 1e-300},    {false, 1, 0, 1, 1e300},
        {false, 1, 1, 1, 1e-300},    {false, 1e-300, 0, 0.999, 1e300},
    };
    for (size_t i = 0; i < sizeof extreme / sizeof extreme[0]; i++) {
        struct sampler sampler;
        float logits[4] = {-FLT_MAX, FLT_MAX, 3, -3};
        float out[4];
        double sum = 0;
        init(&sampler, extreme[i], 4);
        for (int id = 0; id < 4; id++) {
            sampler_see(&sampler, id);
        }
        sampler_probabilities(&sampler, out, logits);
        for (int id = 0; id < 4; id++) {
            ck_assert(out[id] >= 0);
            sum += (double)out[id];
        }
        ck_assert_msg(fabs(sum - 1) <= 1e-6, "case %zu: %g", i, sum);
        sampler_free(&sampler);
    }
}
END_TEST

/* e^x overflows from 710 on: wherever the largest logit stands, it is the one that is taken off. */
START_TEST(the_largest_logit_has_a_weight_of_one)
{
    enum { N = 4 };
    for (int place = 0; place < N; place++) {
        struct sampler sampler;
        float logits[N] = {-1000, -3000, -2000, -4000};
        float out[N];
        logits[place] = 1000;
        init(&sampler, plain, N);
        sampler_probabilities(&sampler, out, logits);
        for (int id = 0; id < N; id++) {
            ck_assert(out[id] == (id == place ? 1.0F : 0.0F));
        }
        sampler_free(&sampler);
    }
}
END_TEST

/* 100000 draws: the standard deviation of a frequency is at most 0.0016, six of them are 0.0095. */
START_TEST(draws_follow_the_distribution)
{
    enum { N = 5, DRAWS = 100000 };
    static const struct sampler_settings settings[] = {{false, 1, 0, 1, 1}, {false, 0.7, 4, 0.9, 1}};
    const float logits[N] = {0.5F, 2, -1, 1.5F, 0};
    for (int i = 0; i < 2; i++) {
        struct sampler sampler;
        float changed[N];
        float p[N];
        double frequency[N] = {0};
        init(&sampler, settings[i], N);
        for (int draw = 0; draw < DRAWS; draw++) {
            memcpy(changed, logits, sizeof logits);
            frequency[sampler_next(&sampler, changed)] += 1.0 / DRAWS;
        }
        sampler_probabilities(&sampler, p, changed);
        assert_near(p, frequency, N, 0.0095, 0);
        for (int id = 0; id < N; id++) {
            ck_assert_int_eq(p[id] > 0, frequency[id] > 0);
        }
        sampler_free(&sampler);
    }
}
END_TEST

START_TEST(the_same_seed_draws_the_same)
{
    struct sampler a;
    struct sampler b;
    init(&a, plain, 50);
    init(&b, plain, 50);
    for (int i = 0; i < 100; i++) {
        float logits_a[50] = {0};
        float logits_b[50] = {0};
        ck_assert_int_eq(sampler_next(&a, logits_a), sampler_next(&b, logits_b));
    }
    sampler_free(&a);
    sampler_free(&b);
}
END_TEST

START_TEST(settings_out_of_range_are_a_callers_bug)
{
    static const struct sampler_settings bad[] = {{false, 0, 0, 1, 1},    {false, 1, -1, 1, 1},
                                                  {false, 1, 0, 1.01, 1}, {false, 1, 0, -0.01, 1},
                                                  {false, 1, 0, 1, 0},    {false, 1, 0, 1, 1}};
    struct sampler sampler;
    /* the last is good, but its vocabulary is empty */
    sampler_init(&sampler, &bad[_i], _i == 5 ? 0 : 3, 1, NULL);
}
END_TEST

static int by_value(const void *a, const void *b)
{
    const struct candidate *x = a;
    const struct candidate *y = b;
    if (x->value != y->value) {
        return x->value > y->value ? -1 : 1;
    }
    return x->id - y->id;
}

/* Against a full sort, with many equal logits. */
START_TEST(the_top_is_that_of_a_full_sort)
{
    enum { N = 1000 };
    static float logits[N];
    static struct candidate sorted[N];
    static struct candidate got[N];
    struct rng rng;
    double total = 0;
    rng_init(&rng, 3);
    for (int i = 0; i < N; i++) {
        logits[i] = (float)rng_below(&rng, 100) / 10;
        sorted[i] = (struct candidate){i, logits[i]};
        total += exp((double)logits[i]);
    }
    qsort(sorted, N, sizeof *sorted, by_value);
    for (int k = 1; k <= N; k += k < 20 ? 1 : 97) {
        for (int i = 0; i < N; i++) {
            got[i] = (struct candidate){-1, FLT_MAX}; /* what was there before does not matter */
        }
        sampler_top(got, k, logits, N);
        for (int i = 0; i < k; i++) {
            ck_assert_int_eq(got[i].id, sorted[i].id);
            double p = exp((double)sorted[i].value) / total;
            ck_assert_double_le(fabs((double)got[i].value - p), 1e-7);
        }
        ck_assert(k == N || got[k].id == -1); /* there is room for k only */
    }
}
END_TEST

/* Top-k by blocks and a heap against the k-th of a full sort: few values and many, a last block of one logit. */
START_TEST(top_k_keeps_what_a_full_sort_keeps)
{
    enum { N = 64 * 40 + 1 };
    static float logits[N], changed[N], out[N];
    static struct candidate sorted[N];
    struct rng rng;
    rng_init(&rng, 4);
    for (int i = 0; i < N; i++) {
        logits[i] = (float)rng_below(&rng, _i == 0 ? 60 : 1000000) / (_i == 0 ? 1 : 10000);
        sorted[i] = (struct candidate){i, logits[i]};
    }
    logits[N - 1] = sorted[N - 1].value = 101; /* the largest, alone in its block */
    qsort(sorted, N, sizeof *sorted, by_value);
    for (int k = 1; k <= N; k += k < 50 ? 1 : 61) {
        struct sampler sampler;
        struct sampler_settings settings = plain;
        settings.top_k = k;
        settings.temperature = 100; /* no probability underflows */
        init(&sampler, settings, N);
        memcpy(changed, logits, sizeof logits);
        for (int i = 0; i < N; i++) { /* what was there before does not matter */
            sampler.candidate[i] = (struct candidate){-1, FLT_MAX};
        }
        sampler_probabilities(&sampler, out, changed);
        for (int i = 0; i < N; i++) {
            ck_assert_int_eq(out[i] > 0, logits[i] >= sorted[k - 1].value);
        }
        sampler_free(&sampler);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("sampler");
    add_test(suite, "probabilities", probabilities_are_those_of_transformers);
    add_test(suite, "penalty", the_penalty_counts_once_per_token_and_lowers_negative_logits);
    add_test(suite, "greedy", greedy_takes_the_largest_and_the_lowest_id_among_equals);
    add_test(suite, "ties", top_k_keeps_every_logit_equal_to_the_last);
    add_test(suite, "top-p", top_p_that_is_reached_exactly_is_enough);
    add_test(suite, "extreme settings", extreme_settings_give_probabilities_all_the_same);
    add_test(suite, "the largest", the_largest_logit_has_a_weight_of_one);
    add_test(suite, "draws", draws_follow_the_distribution);
    add_test(suite, "seed", the_same_seed_draws_the_same);
    add_test(suite, "top", the_top_is_that_of_a_full_sort);
    TCase *top_k = tcase_create("top-k");
    tcase_add_loop_test(top_k, top_k_keeps_what_a_full_sort_keeps, 0, 2);
    suite_add_tcase(suite, top_k);
    TCase *bugs = tcase_create("settings out of range");
    tcase_add_loop_test_raise_signal(bugs, settings_out_of_range_are_a_callers_bug, SIGABRT, 0, 6);
    suite_add_tcase(suite, bugs);
    return suite;
}
