#include "common/attention.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/matmul.h"
#include "common/rope.h"
#include "tests/support/test.h"

/* Scores, exponentials and sums of a handful of float32 values of the order of 1. */
static const double tolerance = 8 * 0x1p-24;

enum { MAX_TOKENS = 32 };

/* One sequence in one layer, and the batch of its latest tokens. */
struct sequence {
    struct kv_cache cache;
    struct kv_cache *owner[MAX_TOKENS];
    int32_t slot[MAX_TOKENS];
    struct batch batch;
};

/* All slots hold NaN at first: whatever reads one that was not written shows it. */
static void start(struct sequence *s, int n_kv_heads, int head_dim, int capacity)
{
    ck_assert_int_eq(kv_cache_init(&s->cache, 1, n_kv_heads, head_dim, capacity, NULL), STATUS_OK);
    for (int i = 0; i < n_kv_heads * head_dim * capacity; i++) {
        s->cache.k[i] = s->cache.v[i] = NAN;
    }
}

/* Puts n_tokens more keys and values into the sequence. Behind the tokens of the batch there is no sequence. */
static void append(struct sequence *s, const float *k, const float *v, int n_tokens)
{
    for (int t = 0; t < MAX_TOKENS; t++) {
        s->owner[t] = t < n_tokens ? &s->cache : NULL;
    }
    s->batch = (struct batch){.n_tokens = n_tokens, .sequence = s->owner, .slot = s->slot};
    ck_assert_int_eq(batch_place(&s->batch, NULL), STATUS_OK);
    attention_store(&s->batch, 0, k, v);
}

static void attend(float *out, const float *q, const struct batch *batch, int n_heads, float *weights,
                   double dropout_rate, struct rng *rng)
{
    float *scratch = test_alloc(attention_scratch_size(batch, n_heads) * sizeof *scratch);
    attention_forward(out, q, batch, 0, n_heads, weights, batch_longest_sequence(batch), scratch,
                      dropout_rate, rng);
    free(scratch);
}

static const float k_of_case_5[] = {0, 1, 2, 3}, v_of_case_5[] = {1, 2, 3, 4}, ones[4] = {1, 1, 1, 1};

/* cases.md 6: two queries on four keys see up to their own slot, not up to their row. */
START_TEST(causal_counts_slots_not_rows)
{
    struct sequence s;
    float out[2];
    start(&s, 1, 1, 4);
    append(&s, k_of_case_5, v_of_case_5, 2);
    append(&s, k_of_case_5 + 2, v_of_case_5 + 2, 2);
    attend(out, ones, &s.batch, 1, NULL, 0, NULL);
    const double expected[] = {2.5752103826044412, 3.4926527345996127};
    assert_near(out, expected, 2, 0, tolerance);
    kv_cache_free(&s.cache);
}
END_TEST

/* softmax(0, 1, 2, 3), with the weights asked for: the form that is not blocked. */
START_TEST(one_token_with_its_weights)
{
    struct sequence s;
    float out[1], weights[4];
    start(&s, 1, 1, 4);
    append(&s, k_of_case_5, v_of_case_5, 3);
    append(&s, k_of_case_5 + 3, v_of_case_5 + 3, 1);
    attend(out, ones, &s.batch, 1, weights, 0, NULL);
    double expected[4], total = exp(0) + exp(1) + exp(2) + exp(3);
    for (int i = 0; i < 4; i++) {
        expected[i] = exp(i) / total;
    }
    assert_near(weights, expected, 4, 0, tolerance);
    assert_near(out, &(double){3.4926527345996127}, 1, 0, tolerance);
    kv_cache_free(&s.cache);
}
END_TEST

/* cases.md 4 and 5: two padding tokens in front, hidden from all; what they hold is NaN. */
START_TEST(hidden_keys_are_skipped)
{
    const uint8_t mask[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1};
    const float k[] = {NAN, INFINITY, 2, 3}, v[] = {NAN, NAN, 3, 4};
    struct sequence s;
    float out[4], weights[16];
    start(&s, 1, 1, 4);
    append(&s, k, v, 4);
    s.batch.mask = mask;
    s.batch.mask_stride = 4;
    attend(out, ones, &s.batch, 1, weights, 0, NULL);
    const double expected[] = {0, 0, 3, 3.7310585786300049};
    assert_near(out, expected, 4, 0, tolerance);
    const double expected_weights[] = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0.2689414213699951, 0.7310585786300049};
    assert_near(weights, expected_weights, 16, tolerance, 0);
    kv_cache_free(&s.cache);
}
END_TEST

/* A given mask is all there is: the first token sees the last. */
START_TEST(a_mask_adds_no_causality)
{
    const uint8_t mask[] = {0, 0, 0, 255, 1, 1, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0};
    struct sequence s;
    float out[4];
    start(&s, 1, 1, 4);
    append(&s, k_of_case_5, v_of_case_5, 4);
    s.batch.mask = mask;
    s.batch.mask_stride = 4;
    attend(out, ones, &s.batch, 1, NULL, 0, NULL);
    const double expected[] = {4, 3.4926527345996127, 3, 1};
    assert_near(out, expected, 4, 0, tolerance);
    kv_cache_free(&s.cache);
}
END_TEST

/* cases.md 34: neighbours share a key/value head; by tiles, or modulo, it would be 10 20 10 20. */
static void check_grouping(int n_heads, int n_kv_heads)
{
    struct sequence s;
    float k[32] = {0}, v[32], q[32] = {0}, out[32];
    double expected[32];
    for (int h = 0; h < n_kv_heads; h++) {
        v[h] = (float)(10 * (h + 1));
    }
    for (int h = 0; h < n_heads; h++) {
        int g = h / (n_heads / n_kv_heads);
        expected[h] = 10.0 * (g + 1);
    }
    start(&s, n_kv_heads, 1, 1);
    append(&s, k, v, 1);
    attend(out, q, &s.batch, n_heads, NULL, 0, NULL);
    assert_near(out, expected, (size_t)n_heads, 0, 0);
    kv_cache_free(&s.cache);
}

START_TEST(query_heads_share_key_value_heads)
{
    check_grouping(4, 2);
    check_grouping(28, 4);
    check_grouping(14, 2);
    check_grouping(4, 4);
    check_grouping(4, 1);
}
END_TEST

START_TEST(refuses_heads_that_do_not_divide)
{
    check_grouping(5, 2);
}
END_TEST

/* cases.md 35: q = k = (1, 0), positions 5 and 3: the score is cos 2, whatever theta is. Beside it a key of zeros, so
 * that weight = 1 / (1 + e^(-score / sqrt 2)). */
START_TEST(scores_a_rotated_pair)
{
    struct rope_table rope;
    struct sequence s;
    float q[] = {1, 0}, k[] = {0, 0, 1, 0}, v[] = {0, 0, 0, 0}, out[2], weights[2];
    const int32_t q_position = 5, k_position = 3;
    ck_assert_int_eq(rope_table_init(&rope, 2, 1e6, 6, NULL), STATUS_OK);
    rope_apply_half(q, &rope, &q_position, 1, 1, 2, 2);
    rope_apply_half(k + 2, &rope, &k_position, 1, 1, 2, 2);
    start(&s, 1, 2, 2);
    append(&s, k, v, 1);
    append(&s, k + 2, v + 2, 1);
    attend(out, q, &s.batch, 1, weights, 0, NULL);
    double score = sqrt(2.0) * log((double)weights[1] / (double)weights[0]);
    const double expected = -0.41614683654714241;
    assert_near64(&score, &expected, 1, 16 * tolerance, 0);
    rope_table_free(&rope);
    kv_cache_free(&s.cache);
}
END_TEST

/* A sequence of random tokens with grouped heads, in float64. */
enum { N = 21, HEADS = 6, KV_HEADS = 2, DIM = 20 };

struct random_case {
    float q[N * HEADS * DIM], k[N * KV_HEADS * DIM], v[N * KV_HEADS * DIM];
};

static struct random_case *make_random_case(void)
{
    struct random_case *c = test_alloc(sizeof *c);
    struct rng rng;
    rng_init(&rng, 5);
    rng_fill_normal(&rng, c->q, N * HEADS * DIM, 1);
    rng_fill_normal(&rng, c->k, N * KV_HEADS * DIM, 1);
    rng_fill_normal(&rng, c->v, N * KV_HEADS * DIM, 1);
    return c;
}

static void attend_f64(double *out, const struct random_case *c, int t, int h)
{
    int g = h / (HEADS / KV_HEADS);
    double weight[N], sum = 0;
    for (int s = 0; s <= t; s++) {
        double dot = 0;
        for (int i = 0; i < DIM; i++) {
            dot += (double)c->q[(t * HEADS + h) * DIM + i] * (double)c->k[(s * KV_HEADS + g) * DIM + i];
        }
        weight[s] = exp(dot / sqrt(DIM));
        sum += weight[s];
    }
    for (int i = 0; i < DIM; i++) {
        out[i] = 0;
        for (int s = 0; s <= t; s++) {
            out[i] += weight[s] / sum * (double)c->v[(s * KV_HEADS + g) * DIM + i];
        }
    }
}

/* Prefill in pieces given by ends[], the results of all tokens in out. */
static void run_in_pieces(float *out, const struct random_case *c, const int *ends, int n_pieces)
{
    struct sequence s;
    start(&s, KV_HEADS, DIM, N + 3);
    int from = 0;
    for (int p = 0; p < n_pieces; p++) {
        append(&s, c->k + from * KV_HEADS * DIM, c->v + from * KV_HEADS * DIM, ends[p] - from);
        attend(out + from * HEADS * DIM, c->q + from * HEADS * DIM, &s.batch, HEADS, NULL, 0, NULL);
        from = ends[p];
    }
    kv_cache_free(&s.cache);
}

START_TEST(agrees_with_float64)
{
    struct random_case *c = make_random_case();
    float *out = test_alloc(sizeof c->q);
    double *expected = test_alloc(N * HEADS * DIM * sizeof *expected);
    const int whole[] = {N};
    for (int t = 0; t < N; t++) {
        for (int h = 0; h < HEADS; h++) {
            attend_f64(expected + (t * HEADS + h) * DIM, c, t, h);
        }
    }
    run_in_pieces(out, c, whole, 1);
    assert_near(out, expected, N * HEADS * DIM, DIM * tolerance, 0);
    free(c);
    free(out);
    free(expected);
}
END_TEST

/* cases.md 6: whole, in two pieces and one by one; the same operations in the same order, so the same bits. */
START_TEST(any_split_gives_the_same_bits)
{
    struct random_case *c = make_random_case();
    float *whole = test_alloc(sizeof c->q), *pieces = test_alloc(sizeof c->q);
    const int all[] = {N}, two[] = {13, N};
    int single[N];
    for (int t = 0; t < N; t++) {
        single[t] = t + 1;
    }
    run_in_pieces(whole, c, all, 1);
    run_in_pieces(pieces, c, two, 2);
    ck_assert_mem_eq(pieces, whole, sizeof c->q);
    run_in_pieces(pieces, c, single, N);
    ck_assert_mem_eq(pieces, whole, sizeof c->q);
    free(c);
    free(whole);
    free(pieces);
}
END_TEST

START_TEST(threads_change_no_bit)
{
    struct random_case *c = make_random_case();
    float *one = test_alloc(sizeof c->q), *two = test_alloc(sizeof c->q);
    const int all[] = {N};
    matmul_set_threads(1);
    run_in_pieces(one, c, all, 1);
    matmul_set_threads(2);
    run_in_pieces(two, c, all, 1);
    ck_assert_mem_eq(two, one, sizeof c->q);
    free(c);
    free(one);
    free(two);
}
END_TEST

/* The output may overwrite the queries. */
START_TEST(nothing_behind_the_queries_is_read)
{
    enum { SIZE = N * HEADS * DIM };
    struct random_case *c = make_random_case();
    struct sequence s;
    float *expected = test_alloc(sizeof c->q), *out = test_alloc(sizeof c->q),
          *q = test_alloc(2 * sizeof c->q);
    start(&s, KV_HEADS, DIM, N);
    append(&s, c->k, c->v, N);
    attend(expected, c->q, &s.batch, HEADS, NULL, 0, NULL);
    for (int i = 0; i < SIZE; i++) {
        q[i] = c->q[i];
        q[SIZE + i] = NAN;
    }
    attend(out, q, &s.batch, HEADS, NULL, 0, NULL);
    ck_assert_mem_eq(out, expected, sizeof c->q);
    kv_cache_free(&s.cache);
    free(c);
    free(expected);
    free(out);
    free(q);
}
END_TEST

START_TEST(works_in_place)
{
    struct random_case *c = make_random_case();
    struct sequence s;
    float *out = test_alloc(sizeof c->q);
    start(&s, KV_HEADS, DIM, N);
    append(&s, c->k, c->v, N);
    attend(out, c->q, &s.batch, HEADS, NULL, 0, NULL);
    attend(c->q, c->q, &s.batch, HEADS, NULL, 0, NULL);
    ck_assert_mem_eq(c->q, out, sizeof c->q);
    kv_cache_free(&s.cache);
    free(c);
    free(out);
}
END_TEST

/* cases.md 37: two sequences in one batch; the second is what it is alone, whatever the first holds. */
START_TEST(packed_sequences_do_not_meet)
{
    struct random_case *c = make_random_case();
    struct kv_cache first, second, empty;
    float alone[2 * HEADS * DIM], packed[5 * HEADS * DIM];
    int32_t slot[5];
    ck_assert_int_eq(kv_cache_init(&first, 1, KV_HEADS, DIM, 3, NULL), STATUS_OK);
    ck_assert_int_eq(kv_cache_init(&second, 1, KV_HEADS, DIM, 2, NULL), STATUS_OK);
    ck_assert_int_eq(kv_cache_init(&empty, 1, KV_HEADS, DIM, 2, NULL), STATUS_OK); /* segments [0, 3, 3, 5] */
    struct kv_cache *const sequence[] = {&first, &first, &first, &second, &second};
    struct batch tail = {.n_tokens = 2, .sequence = sequence + 3, .slot = slot};
    ck_assert_int_eq(batch_place(&tail, NULL), STATUS_OK);
    attention_store(&tail, 0, c->k + 3 * KV_HEADS * DIM, c->v + 3 * KV_HEADS * DIM);
    attend(alone, c->q + 3 * HEADS * DIM, &tail, HEADS, NULL, 0, NULL);
    for (int run = 0; run < 2; run++) {
        kv_cache_truncate(&first, 0);
        kv_cache_truncate(&second, 0);
        struct batch all = {.n_tokens = 5, .sequence = sequence, .slot = slot};
        ck_assert_int_eq(batch_place(&all, NULL), STATUS_OK);
        attention_store(&all, 0, c->k, c->v);
        attend(packed, c->q, &all, HEADS, NULL, 0, NULL);
        ck_assert_mem_eq(packed + 3 * HEADS * DIM, alone, sizeof alone);
        for (int i = 0; i < 3 * KV_HEADS * DIM; i++) {
            c->k[i] = c->v[i] = NAN; /* in the second run the first sequence is poison */
        }
    }
    ck_assert_int_eq(empty.length, 0);
    kv_cache_free(&first);
    kv_cache_free(&second);
    kv_cache_free(&empty);
    free(c);
}
END_TEST

/* While training a weight is 0 or w / (1 - rate), about half of each, and the outputs follow from those weights. */
START_TEST(dropout_scales_what_it_keeps)
{
    enum { STRIDE = N };
    struct random_case *c = make_random_case();
    struct sequence s;
    struct rng rng;
    float *out = test_alloc(sizeof c->q), *kept = test_alloc(N * HEADS * STRIDE * sizeof *kept),
          *all = test_alloc(N * HEADS * STRIDE * sizeof *all), *again = test_alloc(sizeof c->q);
    int n_kept = 0, n_visible = HEADS * N * (N + 1) / 2;
    start(&s, KV_HEADS, DIM, N);
    append(&s, c->k, c->v, N);
    attend(out, c->q, &s.batch, HEADS, all, 0.5, NULL); /* no generator: inference, nothing is dropped */
    rng_init(&rng, 11);
    attend(out, c->q, &s.batch, HEADS, kept, 0.5, &rng);
    for (int i = 0; i < N * HEADS * STRIDE; i++) {
        ck_assert(kept[i] == 0.0F || kept[i] == 2.0F * all[i]);
        n_kept += kept[i] != 0.0F;
    }
    /* binomial: five standard deviations around one half */
    ck_assert(fabs(n_kept - 0.5 * n_visible) < 5 * 0.5 * sqrt(n_visible));
    for (int t = 0; t < N; t++) {
        for (int h = 0; h < HEADS; h++) {
            double expected[DIM] = {0};
            for (int slot = 0; slot <= t; slot++) {
                for (int i = 0; i < DIM; i++) {
                    expected[i] += (double)kept[(t * HEADS + h) * STRIDE + slot] *
                                   (double)c->v[(slot * KV_HEADS + h / (HEADS / KV_HEADS)) * DIM + i];
                }
            }
            assert_near(out + (t * HEADS + h) * DIM, expected, DIM, N * tolerance, 0);
        }
    }
    matmul_set_threads(2); /* the draws keep their order */
    rng_init(&rng, 11);
    attend(again, c->q, &s.batch, HEADS, NULL, 0.5, &rng);
    ck_assert_mem_eq(again, out, sizeof c->q);
    kv_cache_free(&s.cache);
    free(c);
    free(out);
    free(again);
    free(kept);
    free(all);
}
END_TEST

START_TEST(no_tokens_is_no_work)
{
    struct batch batch = {0};
    ck_assert_uint_eq(attention_scratch_size(&batch, 4), 0);
    attention_store(&batch, 0, NULL, NULL);
    attention_forward(NULL, NULL, &batch, 0, 4, NULL, 0, NULL, 0, NULL);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("attention");
    add_test(suite, "causal_counts_slots_not_rows", causal_counts_slots_not_rows);
    add_test(suite, "one token", one_token_with_its_weights);
    add_test(suite, "hidden_keys_are_skipped", hidden_keys_are_skipped);
    add_test(suite, "a_mask_adds_no_causality", a_mask_adds_no_causality);
    add_test(suite, "query_heads_share_key_value_heads", query_heads_share_key_value_heads);
    add_test(suite, "scores_a_rotated_pair", scores_a_rotated_pair);
    add_test(suite, "agrees_with_float64", agrees_with_float64);
    add_test(suite, "any_split_gives_the_same_bits", any_split_gives_the_same_bits);
    add_test(suite, "threads_change_no_bit", threads_change_no_bit);
    add_test(suite, "behind the queries", nothing_behind_the_queries_is_read);
    add_test(suite, "works_in_place", works_in_place);
    add_test(suite, "packed_sequences_do_not_meet", packed_sequences_do_not_meet);
    add_test(suite, "dropout_scales_what_it_keeps", dropout_scales_what_it_keeps);
    add_test(suite, "no_tokens_is_no_work", no_tokens_is_no_work);
    add_abort_test(suite, "refuses_heads_that_do_not_divide", refuses_heads_that_do_not_divide);
    return suite;
}
