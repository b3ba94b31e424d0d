#include "common/attention_blocked.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/attention.h"
#include "common/matmul.h"
#include "common/rng.h"
#include "tests/support/test.h"

/* Longer than two blocks of keys or one part of a cache, and not a multiple of any of them. */
enum {
    N_TOKENS = 1101,
    N_HEADS = 6,
    N_KV_HEADS = 2,
    HEAD_DIM = 20,
    Q_WIDTH = N_HEADS * HEAD_DIM,
    KV_WIDTH = 40
};

struct text {
    float *q, *k, *v, *out; /* of all tokens */
    struct kv_cache cache;
    struct kv_cache *owner[N_TOKENS];
    int32_t slot[N_TOKENS];
};

static void text_init(struct text *text, uint64_t seed)
{
    struct rng rng;
    rng_init(&rng, seed);
    text->q = test_alloc(sizeof(float) * N_TOKENS * Q_WIDTH);
    text->k = test_alloc(sizeof(float) * N_TOKENS * KV_WIDTH);
    text->v = test_alloc(sizeof(float) * N_TOKENS * KV_WIDTH);
    text->out = test_alloc(sizeof(float) * N_TOKENS * Q_WIDTH);
    rng_fill_normal(&rng, text->q, (size_t)N_TOKENS * Q_WIDTH, 2);
    rng_fill_normal(&rng, text->k, (size_t)N_TOKENS * KV_WIDTH, 2);
    rng_fill_normal(&rng, text->v, (size_t)N_TOKENS * KV_WIDTH, 1);
    /* More slots than tokens, all NaN: whatever reads one that was not written shows it. */
    ck_assert_int_eq(kv_cache_init(&text->cache, 1, N_KV_HEADS, HEAD_DIM, N_TOKENS + 50, NULL), STATUS_OK);
    for (int i = 0; i < KV_WIDTH * (N_TOKENS + 50); i++) {
        text->cache.k[i] = text->cache.v[i] = NAN;
    }
    for (int t = 0; t < N_TOKENS; t++) {
        text->owner[t] = &text->cache;
    }
}

static void text_free(struct text *text)
{
    free(text->q);
    free(text->k);
    free(text->v);
    free(text->out);
    kv_cache_free(&text->cache);
}

/* The next n_tokens of the text from token first on. */
static void attend(struct text *text, int first, int n_tokens)
{
    struct batch batch = {.n_tokens = n_tokens, .sequence = text->owner, .slot = text->slot};
    ck_assert_int_eq(batch_place(&batch, NULL), STATUS_OK);
    attention_store(&batch, 0, text->k + first * KV_WIDTH, text->v + first * KV_WIDTH);
    float *scratch = test_alloc(attention_blocked_scratch_size(&batch, N_HEADS) * sizeof *scratch);
    attention_blocked(text->out + first * Q_WIDTH, text->q + first * Q_WIDTH, &batch, 0, N_HEADS, scratch);
    free(scratch);
}

static void expected_row(double out[HEAD_DIM], const struct text *text, int t, int head)
{
    int kv = head / (N_HEADS / N_KV_HEADS) * HEAD_DIM;
    double score[N_TOKENS], most = -HUGE_VAL, sum = 0;
    for (int s = 0; s <= t; s++) {
        score[s] = 0;
        for (int i = 0; i < HEAD_DIM; i++) {
            score[s] +=
                (double)text->q[t * Q_WIDTH + head * HEAD_DIM + i] * (double)text->k[s * KV_WIDTH + kv + i];
        }
        score[s] /= sqrt(HEAD_DIM);
        most = fmax(most, score[s]);
    }
    memset(out, 0, HEAD_DIM * sizeof *out);
    for (int s = 0; s <= t; s++) {
        sum += exp(score[s] - most);
    }
    for (int s = 0; s <= t; s++) {
        for (int i = 0; i < HEAD_DIM; i++) {
            out[i] += exp(score[s] - most) / sum * (double)text->v[s * KV_WIDTH + kv + i];
        }
    }
}

/* Scores up to about 40 with an error of a few units in the last place become a relative error of 40 * 2^-22 of the
 * weights; values are of the order of 1. */
START_TEST(agrees_with_float64)
{
    for (int k = 0; matmul_usable_kernel(k) != NULL; k++) {
        ck_assert_int_eq(matmul_choose_kernel(matmul_usable_kernel(k), NULL), STATUS_OK);
        struct text text;
        text_init(&text, 1);
        attend(&text, 0, N_TOKENS);
        for (int t = 0; t < N_TOKENS; t += t < 40 ? 1 : 29) {
            for (int head = 0; head < N_HEADS; head++) {
                double expected[HEAD_DIM];
                expected_row(expected, &text, t, head);
                assert_near(text.out + t * Q_WIDTH + head * HEAD_DIM, expected, HEAD_DIM, 1e-5, 0);
            }
        }
        text_free(&text);
    }
}
END_TEST

/* Blocks begin at fixed slots: one pass, pieces of any length or single tokens give the same but for the order in which few
 * products of 64 terms are summed; and the same bits on any number of threads. */
START_TEST(splits_change_rounding_and_threads_nothing)
{
    static const int pieces[] = {1, 16, 17, 250, N_TOKENS};
    for (int k = 0; matmul_usable_kernel(k) != NULL; k++) {
        ck_assert_int_eq(matmul_choose_kernel(matmul_usable_kernel(k), NULL), STATUS_OK);
        struct text whole;
        text_init(&whole, 2);
        matmul_set_threads(1);
        attend(&whole, 0, N_TOKENS);
        for (int i = 0; i < 5; i++) {
            struct text split[2];
            for (int several = 0; several < 2; several++) {
                text_init(&split[several], 2);
                matmul_set_threads(1 + several * (1 + i % 3));
                for (int first = 0; first < N_TOKENS; first += pieces[i]) {
                    attend(&split[several], first,
                           N_TOKENS - first < pieces[i] ? N_TOKENS - first : pieces[i]);
                }
            }
            /* The same bits are meant. NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
            ck_assert_msg(memcmp(split[0].out, split[1].out, sizeof(float) * N_TOKENS * Q_WIDTH) == 0,
                          "%s: pieces of %d tokens differ with the threads", matmul_kernel_name(), pieces[i]);
            for (int j = 0; j < N_TOKENS * Q_WIDTH; j++) {
                double expected = (double)whole.out[j];
                assert_near(&split[0].out[j], &expected, 1, 1e-5, 0); /* as against float64 */
            }
            text_free(&split[0]);
            text_free(&split[1]);
        }
        text_free(&whole);
    }
}
END_TEST

/* attention_forward takes this way unless the weights are wanted; both must agree. */
START_TEST(agrees_with_the_plain_loops)
{
    struct text text;
    text_init(&text, 3);
    attend(&text, 0, N_TOKENS);
    struct batch batch = {.n_tokens = N_TOKENS, .sequence = text.owner, .slot = text.slot};
    float *weights = test_alloc(sizeof(float) * N_TOKENS * N_HEADS * N_TOKENS);
    float *plain = test_alloc(sizeof(float) * N_TOKENS * Q_WIDTH);
    float *scratch = test_alloc(attention_scratch_size(&batch, N_HEADS) * sizeof *scratch);
    attention_forward(plain, text.q, &batch, 0, N_HEADS, weights, N_TOKENS, scratch, 0, NULL);
    for (int i = 0; i < N_TOKENS * Q_WIDTH; i++) {
        double expected = (double)plain[i];
        assert_near(&text.out[i], &expected, 1, 1e-5, 0);
    }
    free(weights);
    free(plain);
    free(scratch);
    text_free(&text);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("attention_blocked");
    add_test(suite, "float64", agrees_with_float64);
    add_test(suite, "splits and threads", splits_change_rounding_and_threads_nothing);
    add_test(suite, "plain loops", agrees_with_the_plain_loops);
    return suite;
}
