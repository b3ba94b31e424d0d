#include "common/attention_blocked.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "common/matmul.h"

enum { BLOCK_TOKENS = 16, BLOCK_KEYS = 512, SCORE_STRIDE = MATMUL_MIX_STRIDE, SMALL = 1 << 18 };

/* A batch of few tokens has few blocks: fewer than threads, perhaps, so what a block looks at is cut into parts, each a
 * task of its own. Where the cuts are does not depend on the number of threads. */
enum { FEW_TOKENS = 64, PART_KEYS = 1024 };

/* The tokens of one sequence in one block of slots, with all query heads of one key/value head: n_rows rows. */
struct rows {
    int n_rows, head_dim;
    float *q;     /* [n_rows, head_dim], divided by sqrt(head_dim) */
    float *out;   /* [n_rows, head_dim]: o */
    float *most;  /* [n_rows]: m */
    float *sum;   /* [n_rows]: l */
    float *score; /* [n_rows, BLOCK_KEYS], rows at SCORE_STRIDE */
};

/* The arguments of attention_blocked and what follows from them. */
struct pass {
    float *out;
    const float *q;
    const struct batch *batch;
    int layer, n_heads;
    int n_kv_heads, head_dim;
    int group; /* query heads per key/value head */
    int n_parts;
    float *of_parts; /* [n_parts, n_tokens * n_heads, head_dim + 2]: o, m and l; for several parts */
};

/* Parts of the longest sequence. */
static int count_parts(const struct batch *batch)
{
    return batch->n_tokens > FEW_TOKENS ? 1 : (batch_longest_sequence(batch) + PART_KEYS - 1) / PART_KEYS;
}

static size_t scratch_of_thread(const struct batch *batch, int n_heads)
{
    size_t n_rows = (size_t)BLOCK_TOKENS * (size_t)(n_heads / batch->sequence[0]->n_kv_heads);
    size_t of_row = 2 * (size_t)batch->sequence[0]->head_dim + 2 + SCORE_STRIDE;
    return checked_product(n_rows, of_row);
}

static size_t rows_of_part(const struct batch *batch, int n_heads)
{
    return (size_t)batch->n_tokens * (size_t)n_heads;
}

size_t attention_blocked_scratch_size(const struct batch *batch, int n_heads)
{
    if (batch->n_tokens == 0) {
        return 0;
    }
    size_t of_threads = checked_product((size_t)matmul_threads(), scratch_of_thread(batch, n_heads));
    size_t n_parts = (size_t)count_parts(batch), of_row = (size_t)batch->sequence[0]->head_dim + 2;
    size_t of_parts = n_parts == 1 ? 0 : checked_product(n_parts * rows_of_part(batch, n_heads), of_row);
    return of_threads > SIZE_MAX - of_parts ? SIZE_MAX : of_threads + of_parts;
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

/* Where o, m and l of a part of the block that begins with token t are kept until all parts are done. */
static struct rows rows_in_parts(const struct pass *pass, int t, int n_tokens, int kv_head, int part)
{
    size_t of_part = rows_of_part(pass->batch, pass->n_heads), dim = (size_t)pass->head_dim;
    size_t first = ((size_t)kv_head * (size_t)pass->batch->n_tokens + (size_t)t) * (size_t)pass->group;
    float *start = pass->of_parts + (size_t)part * of_part * (dim + 2);
    struct rows rows = {.n_rows = n_tokens * pass->group, .head_dim = pass->head_dim};
    rows.out = start + first * dim;
    rows.most = start + of_part * dim + first;
    rows.sum = rows.most + of_part;
    return rows;
}

static struct rows place_rows(const struct pass *pass, int t, int n_tokens, int kv_head, int part,
                              float *scratch)
{
    struct rows rows = {.n_rows = n_tokens * pass->group, .head_dim = pass->head_dim};
    size_t n = (size_t)rows.n_rows, dim = (size_t)pass->head_dim;
    rows.out = scratch + n * dim;
    rows.most = scratch + 2 * n * dim;
    rows.sum = rows.most + n;
    if (pass->n_parts > 1) {
        rows = rows_in_parts(pass, t, n_tokens, kv_head, part);
    }
    rows.q = scratch;
    rows.score = scratch + 2 * n * dim + 2 * n;
    return rows;
}

static size_t head_of_row(const struct pass *pass, int t, int kv_head, int r)
{
    return (size_t)(t + r / pass->group) * (size_t)pass->n_heads +
           (size_t)(kv_head * pass->group + r % pass->group);
}

static void begin_rows(const struct pass *pass, struct rows *rows, int t, int kv_head)
{
    const size_t dim = (size_t)pass->head_dim;
    float scale = (float)(1.0 / sqrt((double)pass->head_dim));
    for (int r = 0; r < rows->n_rows; r++) {
        const float *q = pass->q + head_of_row(pass, t, kv_head, r) * dim;
        for (size_t i = 0; i < dim; i++) {
            rows->q[(size_t)r * dim + i] = q[i] * scale;
            rows->out[(size_t)r * dim + i] = 0.0F;
        }
        rows->most[r] = -INFINITY;
        rows->sum[r] = 0.0F;
    }
}

static void write_rows(const struct pass *pass, const struct rows *rows, int t, int kv_head)
{
    const size_t dim = (size_t)pass->head_dim;
    for (int r = 0; r < rows->n_rows; r++) {
        float *out = pass->out + head_of_row(pass, t, kv_head, r) * dim;
        for (size_t i = 0; i < dim; i++) {
            out[i] = rows->out[(size_t)r * dim + i] / rows->sum[r];
        }
    }
}

/* How many parts the tokens of a block have: one more than their common keys fill, for what follows these. */
static int parts_of_block(const struct pass *pass, int t)
{
    return pass->n_parts == 1 ? 1 : pass->batch->slot[t] / PART_KEYS + 1;
}

/* One part of what the block of tokens t .. t + n_tokens-1 looks at with one key/value head. */
static void attend_part(const struct pass *pass, int t, int n_tokens, int kv_head, int part, float *scratch)
{
    const struct batch *batch = pass->batch;
    const float *keys = kv_cache_keys(batch->sequence[t], pass->layer, kv_head),
                *values = kv_cache_values(batch->sequence[t], pass->layer, kv_head);
    const size_t dim = (size_t)pass->head_dim;
    const bool last = part == parts_of_block(pass, t) - 1;
    int n_common = batch->slot[t] / BLOCK_TOKENS * BLOCK_TOKENS;
    int first = part * PART_KEYS, end = last ? n_common : first + PART_KEYS;
    struct rows rows = place_rows(pass, t, n_tokens, kv_head, part, scratch);
    begin_rows(pass, &rows, t, kv_head);
    attend_keys(&rows, 0, rows.n_rows, keys + (size_t)first * dim, values + (size_t)first * dim, end - first);
    for (int i = 0; last && i < n_tokens; i++) { /* after what all see, token by token the rest */
        attend_keys(&rows, i * pass->group, pass->group, keys + (size_t)n_common * dim,
                    values + (size_t)n_common * dim, batch->slot[t + i] + 1 - n_common);
    }
    if (pass->n_parts == 1) {
        write_rows(pass, &rows, t, kv_head);
    }
}

/* Adds one more part to those before: the formulas of attention_blocked.h, with the part's o in place of single values. */
static void merge_part(struct rows *rows, const struct rows *more)
{
    const size_t dim = (size_t)rows->head_dim;
    for (int r = 0; r < rows->n_rows; r++) {
        float most = fmaxf(rows->most[r], more->most[r]);
        float factor = expf(rows->most[r] - most), factor_of_more = expf(more->most[r] - most);
        rows->most[r] = most;
        rows->sum[r] = rows->sum[r] * factor + more->sum[r] * factor_of_more;
        for (size_t i = (size_t)r * dim; i < (size_t)(r + 1) * dim; i++) {
            rows->out[i] = rows->out[i] * factor + more->out[i] * factor_of_more;
        }
    }
}

/* Token by token, in the order of the parts. */
static void merge_parts(const struct pass *pass)
{
    for (int t = 0; t < pass->batch->n_tokens; t++) {
        for (int kv_head = 0; kv_head < pass->n_kv_heads; kv_head++) {
            struct rows rows = rows_in_parts(pass, t, 1, kv_head, 0);
            for (int part = 1; part < parts_of_block(pass, t); part++) {
                const struct rows more = rows_in_parts(pass, t, 1, kv_head, part);
                merge_part(&rows, &more);
            }
            write_rows(pass, &rows, t, kv_head);
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

static void run_task(const struct pass *pass, int task, float *scratch)
{
    int part = pass->n_parts - 1 - task % pass->n_parts, kv_head = task / pass->n_parts % pass->n_kv_heads;
    int t = task / pass->n_parts / pass->n_kv_heads, n_tokens = 1;
    if ((t > 0 && same_block(pass->batch, t - 1, t)) || part >= parts_of_block(pass, t)) {
        return; /* not the first of its block, or fewer keys */
    }
    while (same_block(pass->batch, t, t + n_tokens)) {
        n_tokens++;
    }
    attend_part(pass, t, n_tokens, kv_head, part, scratch);
}

void attention_blocked(float *out, const float *q, const struct batch *batch, int layer, int n_heads,
                       float *scratch)
{
    if (batch->n_tokens == 0) {
        return;
    }
    const struct kv_cache *cache = batch->sequence[0];
    double work = (double)batch->n_tokens * batch_longest_sequence(batch) * n_heads * cache->head_dim;
    size_t scratch_size = scratch_of_thread(batch, n_heads);
    const struct pass pass = {.out = out,
                              .q = q,
                              .batch = batch,
                              .layer = layer,
                              .n_heads = n_heads,
                              .n_kv_heads = cache->n_kv_heads,
                              .head_dim = cache->head_dim,
                              .group = n_heads / cache->n_kv_heads,
                              .n_parts = count_parts(batch),
                              .of_parts = scratch + (size_t)matmul_threads() * scratch_size};
    int n_threads = work > SMALL ? matmul_threads() : 1,
        n_tasks = batch->n_tokens * pass.n_kv_heads * pass.n_parts;
    (void)n_threads; /* not used where the compiler has no OpenMP */
    /* The last tokens see most keys: begun first, they leave short blocks for the end. */
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) if (n_threads > 1)
#endif
    for (int task = n_tasks - 1; task >= 0; task--) {
        run_task(&pass, task, scratch + (size_t)this_thread() * scratch_size);
    }
    if (pass.n_parts > 1) {
        merge_parts(&pass);
    }
}
