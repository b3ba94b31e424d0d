#include "common/attention.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "common/attention_blocked.h"
#include "common/dropout.h"
#include "common/matmul.h"
#include "common/require.h"
#include "common/softmax.h"

enum { SMALL = 1 << 18 }; /* fewer products than this are done before another thread has woken up */

/* The arguments of attention_forward and what follows from them. */
struct pass {
    float *out;
    const float *q;
    const struct batch *batch;
    int layer;
    int n_heads, n_kv_heads, head_dim;
    int group; /* query heads per key/value head */
    float *weights;
    int weights_stride;
    double dropout_rate;
    struct rng *rng;
};

/* One token and one key/value head with all its query heads: each key and value is read once for the group. */
struct group_task {
    int token, kv_head;
    int n_slots;         /* the token may look at slots 0 .. n_slots-1 … */
    const uint8_t *mask; /* … of these only where its byte is not 0; NULL: at all of them */
    const float *q;      /* [group, head_dim] */
    float *score;        /* [group, n_slots], the scores and then the weights */
};

size_t attention_scratch_size(const struct batch *batch, int n_heads)
{
    if (batch->n_tokens == 0) {
        return 0;
    }
    size_t group = (size_t)(n_heads / batch->sequence[0]->n_kv_heads);
    size_t plain = checked_product(checked_product((size_t)matmul_threads(), group),
                                   (size_t)batch_longest_sequence(batch));
    size_t blocked = attention_blocked_scratch_size(batch, n_heads);
    return plain > blocked ? plain : blocked;
}

static bool visible(const struct group_task *task, int slot)
{
    return task->mask == NULL || task->mask[slot] != 0;
}

/* score[i, s] = q[i] . k[s] / sqrt(head_dim); a hidden key is not read and scores -inf. */
static void compute_scores(const struct pass *pass, const struct group_task *task, const float *keys)
{
    float scale = (float)(1.0 / sqrt((double)pass->head_dim));
    for (int s = 0; s < task->n_slots; s++) {
        const float *key = keys + (size_t)s * (size_t)pass->head_dim;
        for (int i = 0; i < pass->group; i++) {
            const float *query = task->q + (size_t)i * (size_t)pass->head_dim;
            task->score[(size_t)i * (size_t)task->n_slots + (size_t)s] =
                visible(task, s) ? matmul_dot(query, key, pass->head_dim) * scale : -INFINITY;
        }
    }
}

static void scores_to_weights(const struct pass *pass, const struct group_task *task)
{
    for (int i = 0; i < pass->group; i++) {
        float *row = task->score + (size_t)i * (size_t)task->n_slots;
        softmax(row, task->n_slots);
        dropout_apply(row, (size_t)task->n_slots, pass->dropout_rate, pass->rng);
    }
}

/* out[i] = sum_s weight[i, s] v[s] over the visible slots. */
static void mix_values(const struct pass *pass, const struct group_task *task, const float *values,
                       float *out)
{
    for (int i = 0; i < pass->group * pass->head_dim; i++) {
        out[i] = 0.0F;
    }
    for (int s = 0; s < task->n_slots; s++) {
        if (!visible(task, s)) {
            continue;
        }
        const float *value = values + (size_t)s * (size_t)pass->head_dim;
        for (int i = 0; i < pass->group; i++) {
            matmul_add_scaled(out + (size_t)i * (size_t)pass->head_dim,
                              task->score[(size_t)i * (size_t)task->n_slots + (size_t)s], value,
                              pass->head_dim);
        }
    }
}

static void report_weights(const struct pass *pass, const struct group_task *task)
{
    for (int i = 0; i < pass->group; i++) {
        size_t row = (size_t)task->token * (size_t)pass->n_heads + (size_t)(task->kv_head * pass->group + i);
        float *out = pass->weights + row * (size_t)pass->weights_stride;
        memcpy(out, task->score + (size_t)i * (size_t)task->n_slots, (size_t)task->n_slots * sizeof *out);
        for (int s = task->n_slots; s < pass->weights_stride; s++) {
            out[s] = 0.0F;
        }
    }
}

static void attend(const struct pass *pass, int token, int kv_head, float *scratch)
{
    const struct batch *batch = pass->batch;
    const struct kv_cache *cache = batch->sequence[token];
    size_t head = (size_t)token * (size_t)pass->n_heads + (size_t)(kv_head * pass->group);
    struct group_task task = {.token = token,
                              .kv_head = kv_head,
                              .n_slots = batch->slot[token] + 1,
                              .mask = NULL,
                              .q = pass->q + head * (size_t)pass->head_dim,
                              .score = scratch};
    if (batch->mask != NULL) { /* a given mask is all there is: it may show later tokens too */
        task.n_slots = cache->length;
        task.mask = batch->mask + (size_t)token * batch->mask_stride;
    }
    compute_scores(pass, &task, kv_cache_keys(cache, pass->layer, kv_head));
    scores_to_weights(pass, &task);
    if (pass->weights != NULL) {
        report_weights(pass, &task);
    }
    mix_values(pass, &task, kv_cache_values(cache, pass->layer, kv_head),
               pass->out + head * (size_t)pass->head_dim);
}

static int this_thread(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/* Every task is computed whole by one thread, so the number of threads changes no result. Dropout draws from one
 * generator, in the order of the tasks: training takes one thread. */
static void run_tasks(const struct pass *pass, float *scratch, size_t scratch_of_thread)
{
    int n_tasks = pass->batch->n_tokens * pass->n_kv_heads;
    double n_products =
        (double)n_tasks * (double)scratch_of_thread * pass->head_dim; /* of the scores, at most */
    bool shared = pass->rng == NULL && n_tasks > 1 && n_products > SMALL;
    int n_threads = shared ? matmul_threads() : 1;
    (void)n_threads; /* not used where the compiler has no OpenMP */
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) if (n_threads > 1)
#endif
    for (int task = 0; task < n_tasks; task++) {
        attend(pass, task / pass->n_kv_heads, task % pass->n_kv_heads,
               scratch + (size_t)this_thread() * scratch_of_thread);
    }
}

void attention_forward(float *out, const float *q, const struct batch *batch, int layer, int n_heads,
                       float *weights, int weights_stride, float *scratch, double dropout_rate,
                       struct rng *rng)
{
    if (batch->n_tokens == 0) {
        return;
    }
    int n_kv_heads = batch->sequence[0]->n_kv_heads;
    int longest = batch_longest_sequence(batch);
    REQUIRE(n_heads > 0 && n_heads % n_kv_heads == 0);
    REQUIRE(weights == NULL || weights_stride >= longest);
    REQUIRE(batch->mask == NULL || batch->mask_stride >= (size_t)longest);
    if (batch->mask == NULL && weights == NULL && rng == NULL) {
        attention_blocked(out, q, batch, layer, n_heads, scratch);
        return;
    }
    struct pass pass = {.out = out,
                        .q = q,
                        .batch = batch,
                        .layer = layer,
                        .n_heads = n_heads,
                        .n_kv_heads = n_kv_heads,
                        .head_dim = batch->sequence[0]->head_dim,
                        .group = n_heads / n_kv_heads,
                        .weights = weights,
                        .weights_stride = weights_stride,
                        .dropout_rate = dropout_rate,
                        .rng = rng};
    run_tasks(&pass, scratch, (size_t)pass.group * (size_t)longest);
}

void attention_store(const struct batch *batch, int layer, const float *k, const float *v)
{
    for (int t = 0; t < batch->n_tokens; t++) {
        const struct kv_cache *cache = batch->sequence[t];
        size_t head_dim = (size_t)cache->head_dim;
        for (int h = 0; h < cache->n_kv_heads; h++) {
            size_t from = ((size_t)t * (size_t)cache->n_kv_heads + (size_t)h) * head_dim;
            size_t to = (size_t)batch->slot[t] * head_dim;
            memcpy(kv_cache_keys(cache, layer, h) + to, k + from, head_dim * sizeof *k);
            memcpy(kv_cache_values(cache, layer, h) + to, v + from, head_dim * sizeof *v);
        }
    }
}
