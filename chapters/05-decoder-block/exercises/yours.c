/* make chapter5-yours && ./chapter5-yours: the walk-through's checks with your functions beside the project's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../yours.h"
#include "common/attention.h"
#include "common/rmsnorm.h"
#include "common/rope.h"
#include "common/softmax.h"
#include "exercises.h"
#include "yours_block.h"

enum { MAX = 16 };

struct functions {
    void (*scale_by_rms)(double *, const double *, const double *, int, double);
    void (*masked_softmax)(double *, const double *, const int *, int);
    void (*causal_mask)(int *, int, int);
    int (*kv_head_of)(int, int, int);
    void (*attend_to_cache)(double *, const double *, const double *, const double *, int, int, int, int);
    void (*predict_block)(double *);
    void (*decode_scores)(double *, double *, int *, const double *, const double *);
    double (*block)(int element); /* of the last token's output */
};

/* ---- The project's functions in the exercises' form --------------------------------------------------------------- */

static void to_float(float *out, const double *in, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = (float)in[i];
    }
}

static void to_double(double *out, const float *in, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = (double)in[i];
    }
}

static void project_rms(double *out, const double *x, const double *weight, int n, double eps)
{
    float in[MAX], factors[MAX] = {0};
    to_float(in, x, n);
    to_float(factors, weight, n);
    struct tensor w = tensor_f32(factors, 1, n);
    rmsnorm(in, in, &w, eps, 1, n);
    to_double(out, in, n);
}

static void project_softmax(double *weight, const double *score, const int *visible, int n)
{
    float x[MAX];
    for (int i = 0; i < n; i++) {
        x[i] = visible[i] ? (float)score[i] : -INFINITY;
    }
    softmax(x, n);
    to_double(weight, x, n);
}

/* The last n_new of the cache's tokens ask; their keys and values are in it already. q NULL: queries of zeros. */
static void project_attention(float *out, float *weights, const float *q, struct kv_cache *cache, int n_new,
                              int n_heads)
{
    static float zeros[MAX * MAX];
    int32_t position[MAX] = {0}, slot[MAX];
    struct kv_cache *sequence[MAX];
    int n_slots = cache->length;
    for (int t = 0; t < n_new; t++) {
        sequence[t] = cache;
    }
    kv_cache_truncate(cache, n_slots - n_new);
    struct batch batch = {.n_tokens = n_new, .position = position, .sequence = sequence, .slot = slot};
    if (batch_place(&batch, NULL) != STATUS_OK) {
        abort();
    }
    float *scratch = malloc(attention_scratch_size(&batch, n_heads) * sizeof *scratch);
    if (scratch == NULL) {
        abort();
    }
    attention_forward(out, q != NULL ? q : zeros, &batch, 0, n_heads, weights, n_slots, scratch, 0, NULL);
    free(scratch);
}

/* A cache of one layer with all slots in use, filled with zeros. */
static struct kv_cache full_cache(int n_kv_heads, int head_dim, int capacity)
{
    struct kv_cache cache;
    if (kv_cache_init(&cache, 1, n_kv_heads, head_dim, capacity, NULL) != STATUS_OK) {
        abort();
    }
    size_t bytes = (size_t)(n_kv_heads * head_dim * capacity) * sizeof *cache.k;
    memset(cache.k, 0, bytes);
    memset(cache.v, 0, bytes);
    cache.length = capacity;
    return cache;
}

/* With equal scores everything that can be seen has a weight. */
static void project_mask(int *visible, int n_new, int n_cached)
{
    float weights[MAX * MAX], out[MAX];
    struct kv_cache cache = full_cache(1, 1, n_cached + n_new);
    project_attention(out, weights, NULL, &cache, n_new, 1);
    for (int i = 0; i < n_new * (n_cached + n_new); i++) {
        visible[i] = weights[i] > 0;
    }
    kv_cache_free(&cache);
}

/* Each KV head's value is its own number. */
static int project_kv_head(int query_head, int n_heads, int n_kv_heads)
{
    float out[MAX];
    struct kv_cache cache = full_cache(n_kv_heads, 1, 1);
    for (int g = 0; g < n_kv_heads; g++) {
        *kv_cache_values(&cache, 0, g) = (float)g;
    }
    project_attention(out, NULL, NULL, &cache, 1, n_heads);
    kv_cache_free(&cache);
    return (int)out[query_head];
}

static void project_attend(double *out, const double *q, const double *keys, const double *values,
                           int kv_head, int capacity, int n_used, int head_dim)
{
    float query[MAX], mixed[MAX];
    struct kv_cache cache = full_cache(1, head_dim, n_used);
    to_float(cache.k, keys + kv_head * capacity * head_dim, n_used * head_dim);
    to_float(cache.v, values + kv_head * capacity * head_dim, n_used * head_dim);
    to_float(query, q, head_dim);
    project_attention(mixed, NULL, query, &cache, 1, 1);
    to_double(out, mixed, head_dim);
    kv_cache_free(&cache);
}

static void project_predict(double *answer)
{
    memset(answer, 0, 5 * sizeof *answer);
    answer[1] = (double)kv_cache_bytes_per_token(1, 3, 96 / 6);
    answer[2] = (double)kv_cache_bytes_per_token(1, 1, 96 / 6);
}

static void project_decode(double *score, double *keys, int *n_used, const double *q, const double *k)
{
    double cosine, sine, inv_freq, query[2] = {q[0], q[1]}, *key = keys + 2 * *n_used;
    rope_inv_freq(&inv_freq, 2, 1e4);
    rope_angles(&cosine, &sine, &inv_freq, 1, *n_used);
    memcpy(key, k, 2 * sizeof *key);
    rope_rotate_f64(query, ROPE_HALF, &cosine, &sine, 2);
    rope_rotate_f64(key, ROPE_HALF, &cosine, &sine, 2);
    *n_used += 1;
    for (int s = 0; s < *n_used; s++) {
        score[s] = query[0] * keys[2 * s] + query[1] * keys[2 * s + 1];
    }
}

/* ---- The lines ---------------------------------------------------------------------------------------------------- */

static double norm_of_small(const void *functions)
{
    const struct functions *f = functions;
    double out[2];
    f->scale_by_rms(out, (const double[]){1e-3, 1e-3}, (const double[]){1, 1}, 2, 1e-6);
    return out[0];
}

static double weight_beside_hidden(const void *functions)
{
    const struct functions *f = functions;
    double weight[3];
    f->masked_softmax(weight, (const double[]){2000, 0, 1}, (const int[]){0, 1, 1}, 3);
    return weight[2];
}

static double weights_of_hidden_row(const void *functions)
{
    const struct functions *f = functions;
    double weight[3];
    f->masked_softmax(weight, (const double[]){1, 2, 3}, (const int[]){0, 0, 0}, 3);
    return weight[0] + weight[1] + weight[2];
}

static double visible_behind_cache(const void *functions)
{
    const struct functions *f = functions;
    int visible[3 * 8], n = 0;
    f->causal_mask(visible, 3, 5);
    for (int i = 0; i < 3 * 8; i++) {
        n += visible[i];
    }
    return n;
}

static double kv_head_of_7(const void *functions)
{
    const struct functions *f = functions;
    return f->kv_head_of(7, 14, 2);
}

static double mix_of_three(const void *functions)
{
    const struct functions *f = functions;
    double out[1];
    f->attend_to_cache(out, (const double[]){1}, (const double[]){0, 1, 2, NAN},
                       (const double[]){1, 2, 3, NAN}, 0, 4, 3, 1);
    return out[0];
}

static double bytes_grouped(const void *functions)
{
    const struct functions *f = functions;
    double answer[5];
    f->predict_block(answer);
    return answer[1];
}

static double bytes_multi_query(const void *functions)
{
    const struct functions *f = functions;
    double answer[5];
    f->predict_block(answer);
    return answer[2];
}

static double score_of_5_and_3(const void *functions)
{
    const struct functions *f = functions;
    double score[8] = {0}, keys[16] = {0};
    int n_used = 0;
    for (int token = 0; token < 6; token++) {
        f->decode_scores(score, keys, &n_used, (const double[]){1, 0}, (const double[]){1, 0});
    }
    return score[3];
}

static double block_first(const void *functions)
{
    const struct functions *f = functions;
    return f->block(0);
}

static double block_last(const void *functions)
{
    const struct functions *f = functions;
    return f->block(YOURS_D_MODEL - 1);
}

int main(int argc, char **argv)
{
    static const struct yours_check checks[] = {
        {NULL, "The parts of attention (steps 1 to 3)", NULL, 0},
        {"5.1", "norm of {0.001, 0.001}, eps 1e-6", norm_of_small, 1e-6},
        {"5.2", "weight beside a hidden score of 2000", weight_beside_hidden, 1e-6},
        {"5.2", "sum of a row that sees nothing", weights_of_hidden_row, 0},
        {"5.3", "keys seen by 3 tokens behind 5", visible_behind_cache, 0},
        {"5.4", "KV head of query head 7 of 14, 2 KV", kv_head_of_7, 0},
        {"5.5", "mix of 3 slots, the fourth is NaN", mix_of_three, 1e-5},
        {NULL, "The cache (steps 8 and 9)", NULL, 0},
        {"5.7", "bytes a token, 3 of 6 heads", bytes_grouped, 0.5},
        {"5.7", "bytes a token, multi-query", bytes_multi_query, 0.5},
        {"5.8", "score of positions 5 and 3: cos 2", score_of_5_and_3, 1e-5},
        {NULL, "Four tokens through a block: 5.1, 5.4 and 5.5 inside 5.6", NULL, 0},
        {"5.6", "last token, first element", block_first, 1e-5},
        {"5.6", "last token, last element", block_last, 1e-5},
        {NULL, NULL, NULL, 0},
    };
    const struct functions yours = {scale_by_rms,    masked_softmax, causal_mask,   kv_head_of,
                                    attend_to_cache, predict_block,  decode_scores, your_block};
    const struct functions project = {project_rms,    project_softmax, project_mask,   project_kv_head,
                                      project_attend, project_predict, project_decode, project_block};
    yours_make_block();
    int status = yours_run(argc, argv, "Chapter 5 with your functions", checks, &yours, &project);
    yours_free_block();
    return status;
}
