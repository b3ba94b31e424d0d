#include "common/attention_blocked.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "common/matmul.h"

enum { BLOCK_TOKENS = 16, BLOCK_KEYS = 512, SCORE_STRIDE = MATMUL_MIX_STRIDE, SMALL = 1 << 18 };

/* The tokens of one sequence in one block of slots, with all query heads of one key/value head: n_rows rows. */
struct rows {
    int n_rows, head_dim;
    float *q;     /* [n_rows, head_dim], divided by sqrt(head_dim) */
    float *out;   /* [n_rows, head_dim]: o */
    float *most;  /* [n_rows]: m */
    float *sum;   /* [n_rows]: l */
    float *score; /* [n_rows, BLOCK_KEYS], rows at SCORE_STRIDE */
};

static size_t scratch_of_thread(const struct batch *batch, int n_heads)
{
    size_t n_rows = (size_t)BLOCK_TOKENS * (size_t)(n_heads / batch->sequence[0]->n_kv_heads);
    size_t of_row = 2 * (size_t)batch->sequence[0]->head_dim + 2 + SCORE_STRIDE;
    return checked_product(n_rows, of_row);
}

size_t attention_blocked_scratch_size(const struct batch *batch, int n_heads)
{
    return batch->n_tokens == 0
               ? 0
               : checked_product((size_t)matmul_threads(), scratch_of_thread(batch, n_heads));
}

/* ---- The softmax on the way ---- */

/* Turns n scores of row r into e^(score - m') and brings m, l and o up to date. */
static void take_scores(struct rows *rows, int r, float *score, int n)
{
    float most = fmaxf(rows->most[r], matmul_largest(score, n));
    if (most > rows->most[r]) {
        float factor = expf(rows->most[r] - most); /* 0 the first time: m was -infinity */
        float *out = rows->out + (size_t)r * (size_t)rows->head_dim;
        for (int i = 0; i < rows->head_dim; i++) {
            out[i] *= factor;
        }
        rows->sum[r] *= factor;
        rows->most[r] = most;
    }
    rows->sum[r] += matmul_exp_sum(score, most, n);
}

/* Rows first .. first + n_rows-1, which all see the same keys. */
static void attend_keys(struct rows *rows, int first, int n_rows, const float *keys, const float *values,
                        int n_keys)
{
    const size_t dim = (size_t)rows->head_dim, from_row = (size_t)first;
    float *score = rows->score + from_row * SCORE_STRIDE;
    for (int from = 0; from < n_keys; from += BLOCK_KEYS) {
        int n = n_keys - from < BLOCK_KEYS ? n_keys - from : BLOCK_KEYS;
        matmul_scores(score, SCORE_STRIDE, rows->q + from_row * dim, dim, keys + (size_t)from * dim, n_rows,
                      n, rows->head_dim);
        for (int r = 0; r < n_rows; r++) {
            take_scores(rows, first + r, score + (size_t)r * SCORE_STRIDE, n);
        }
        matmul_mix(rows->out + from_row * dim, dim, score, SCORE_STRIDE, values + (size_t)from * dim, n_rows,
                   n, rows->head_dim);
    }
}

/* ---- Blocks ---- */

static bool same_block(const struct batch *batch, int t, int next)
{
    return next < batch->n_tokens && batch->sequence[next] == batch->sequence[t] &&
           batch->slot[next] / BLOCK_TOKENS == batch->slot[t] / BLOCK_TOKENS;
}

static struct rows place_rows(float *scratch, int n_rows, int head_dim)
{
    struct rows rows = {.n_rows = n_rows, .head_dim = head_dim, .q = scratch};
    size_t n = (size_t)n_rows;
    rows.out = rows.q + n * (size_t)head_dim;
    rows.score = rows.out + n * (size_t)head_dim;
    rows.most = rows.score + n * SCORE_STRIDE;
    rows.sum = rows.most + n;
    return rows;
}

/* The block of tokens t .. t + n_tokens-1 with one key/value head. */
static void attend_block(float *out, const float *q, const struct batch *batch, int layer, int n_heads, int t,
                         int n_tokens, int kv_head, float *scratch)
{
    const struct kv_cache *cache = batch->sequence[t];
    const float *keys = kv_cache_keys(cache, layer, kv_head),
                *values = kv_cache_values(cache, layer, kv_head);
    const int group = n_heads / cache->n_kv_heads;
    const size_t dim = (size_t)cache->head_dim;
    struct rows rows = place_rows(scratch, n_tokens * group, cache->head_dim);
    float scale = (float)(1.0 / sqrt((double)cache->head_dim));
    for (int r = 0; r < rows.n_rows; r++) {
        size_t head = (size_t)(t + r / group) * (size_t)n_heads + (size_t)(kv_head * group + r % group);
        for (size_t i = 0; i < dim; i++) {
            rows.q[(size_t)r * dim + i] = q[head * dim + i] * scale;
            rows.out[(size_t)r * dim + i] = 0.0F;
        }
        rows.most[r] = -INFINITY;
        rows.sum[r] = 0.0F;
    }
    int n_common = batch->slot[t] / BLOCK_TOKENS * BLOCK_TOKENS;
    attend_keys(&rows, 0, rows.n_rows, keys, values,
                n_common); /* what all see, then token by token the rest */
    for (int i = 0; i < n_tokens; i++) {
        attend_keys(&rows, i * group, group, keys + (size_t)n_common * dim, values + (size_t)n_common * dim,
                    batch->slot[t + i] + 1 - n_common);
    }
    for (int r = 0; r < rows.n_rows; r++) {
        size_t head = (size_t)(t + r / group) * (size_t)n_heads + (size_t)(kv_head * group + r % group);
        for (size_t i = 0; i < dim; i++) {
            out[head * dim + i] = rows.out[(size_t)r * dim + i] / rows.sum[r];
        }
    }
}

static int this_thread(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

void attention_blocked(float *out, const float *q, const struct batch *batch, int layer, int n_heads,
                       float *scratch)
{
    if (batch->n_tokens == 0) {
        return;
    }
    int n_kv_heads = batch->sequence[0]->n_kv_heads;
    double work =
        (double)batch->n_tokens * batch_longest_sequence(batch) * n_heads * batch->sequence[0]->head_dim;
    size_t scratch_size = scratch_of_thread(batch, n_heads);
    int n_threads = work > SMALL ? matmul_threads() : 1;
    (void)n_threads; /* not used where the compiler has no OpenMP */
    /* The last tokens see most keys: begun first, they leave short blocks for the end. */
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) if (n_threads > 1)
#endif
    for (int task = batch->n_tokens * n_kv_heads - 1; task >= 0; task--) {
        int t = task / n_kv_heads;
        if (t > 0 && same_block(batch, t - 1, t)) {
            continue; /* not the first of its block */
        }
        int n_tokens = 1;
        while (same_block(batch, t, t + n_tokens)) {
            n_tokens++;
        }
        attend_block(out, q, batch, layer, n_heads, t, n_tokens, task % n_kv_heads,
                     scratch + (size_t)this_thread() * scratch_size);
    }
}
