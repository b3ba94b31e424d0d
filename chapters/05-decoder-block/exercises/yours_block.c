#include "yours_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/decoder_block.h"
#include "common/matmul.h"
#include "common/rng.h"
#include "exercises.h"

enum { D_MODEL = YOURS_D_MODEL, N_HEADS = 4, N_KV_HEADS = 2, HEAD_DIM = 2, D_FF = 12, N_TOKENS = 4 };
enum { Q_WIDTH = N_HEADS * HEAD_DIM, KV_WIDTH = N_KV_HEADS * HEAD_DIM };
enum { MAX = 16 };

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

static const struct decoder_block_config config = {.d_model = D_MODEL,
                                                   .n_heads = N_HEADS,
                                                   .n_kv_heads = N_KV_HEADS,
                                                   .head_dim = HEAD_DIM,
                                                   .d_ff = D_FF,
                                                   .rms_norm_eps = 1e-6,
                                                   .rope_layout = ROPE_HALF};
static struct decoder_block_weights weights;
static struct rope_table rope;
static float tokens[N_TOKENS * D_MODEL];

static struct tensor random_matrix(struct rng *rng, int rows, int cols)
{
    static float pool[1024];
    static size_t used;
    float *values = pool + used;
    size_t n = (size_t)rows * (size_t)cols;
    used += n;
    rng_fill_normal(rng, values, n, 1 / sqrt(cols));
    return tensor_f32(values, rows, cols);
}

void yours_make_block(void)
{
    struct rng rng;
    rng_init(&rng, 5);
    weights = (struct decoder_block_weights){.attn_norm = random_matrix(&rng, 1, D_MODEL),
                                             .w_q = random_matrix(&rng, Q_WIDTH, D_MODEL),
                                             .w_k = random_matrix(&rng, KV_WIDTH, D_MODEL),
                                             .w_v = random_matrix(&rng, KV_WIDTH, D_MODEL),
                                             .w_o = random_matrix(&rng, D_MODEL, Q_WIDTH),
                                             .ffn_norm = random_matrix(&rng, 1, D_MODEL),
                                             .ffn = {.activation = ACTIVATION_SILU,
                                                     .w_gate = random_matrix(&rng, D_FF, D_MODEL),
                                                     .w_up = random_matrix(&rng, D_FF, D_MODEL),
                                                     .w_down = random_matrix(&rng, D_MODEL, D_FF)}};
    rng_fill_normal(&rng, tokens, N_TOKENS * D_MODEL, 1);
    if (rope_table_init(&rope, HEAD_DIM, 1e4, N_TOKENS, NULL) != STATUS_OK) {
        abort();
    }
}

void yours_free_block(void)
{
    rope_table_free(&rope);
}

/* All tokens in one pass. */
double project_block(int element)
{
    float x[N_TOKENS * D_MODEL];
    int32_t position[N_TOKENS], slot[N_TOKENS];
    struct kv_cache cache, *sequence[N_TOKENS];
    struct batch batch = {.n_tokens = N_TOKENS, .position = position, .sequence = sequence, .slot = slot};
    for (int t = 0; t < N_TOKENS; t++) {
        position[t] = t;
        sequence[t] = &cache;
    }
    memcpy(x, tokens, sizeof x);
    if (kv_cache_init(&cache, 1, N_KV_HEADS, HEAD_DIM, N_TOKENS, NULL) != STATUS_OK ||
        batch_place(&batch, NULL) != STATUS_OK) {
        abort();
    }
    float *scratch = malloc(decoder_block_scratch_size(&config, &batch, NULL) * sizeof *scratch);
    if (scratch == NULL) {
        abort();
    }
    decoder_block_forward(x, &config, &weights, &batch, 0, &rope, scratch, NULL, NULL);
    free(scratch);
    kv_cache_free(&cache);
    return (double)x[(N_TOKENS - 1) * D_MODEL + element];
}

/* What your parts keep between tokens. */
static double your_keys[N_KV_HEADS * N_TOKENS * HEAD_DIM], your_values[N_KV_HEADS * N_TOKENS * HEAD_DIM];
static int your_position;

static void your_norm(double *out, const double *in, int n, const struct tensor *norm)
{
    double weight[MAX], copy[MAX];
    memcpy(copy, in, (size_t)n * sizeof *copy);
    for (int i = 0; i < n; i++) {
        weight[i] = (double)tensor_at(norm, 0, i);
    }
    scale_by_rms(out, copy, weight, n, config.rms_norm_eps);
}

static void your_attention_norm(double *out, const double *in, int n)
{
    your_norm(out, in, n, &weights.attn_norm);
}

static void your_ffn_norm(double *out, const double *in, int n)
{
    your_norm(out, in, n, &weights.ffn_norm);
}

/* Rows of n_heads heads of one token, rotated by its position when it is not the values'. */
static void project_heads(double *out, const float *x, const struct tensor *w, int n_heads, int rotated)
{
    float heads[MAX];
    int32_t position = your_position;
    matmul_plain(heads, MAX, x, D_MODEL, w, &(struct tensor){.data = NULL}, 1);
    if (rotated) {
        rope_apply(heads, config.rope_layout, &rope, &position, 1, n_heads, MAX, HEAD_DIM);
    }
    to_double(out, heads, n_heads * HEAD_DIM);
}

static void your_attention(double *out, const double *in, int n)
{
    double q[Q_WIDTH], k[KV_WIDTH], v[KV_WIDTH], mixed[Q_WIDTH];
    float x[MAX], heads[MAX], branch[MAX];
    to_float(x, in, n);
    project_heads(q, x, &weights.w_q, N_HEADS, 1);
    project_heads(k, x, &weights.w_k, N_KV_HEADS, 1);
    project_heads(v, x, &weights.w_v, N_KV_HEADS, 0);
    for (int g = 0; g < N_KV_HEADS; g++) {
        int row = (g * N_TOKENS + your_position) * HEAD_DIM;
        memcpy(your_keys + row, k + g * HEAD_DIM, HEAD_DIM * sizeof *k);
        memcpy(your_values + row, v + g * HEAD_DIM, HEAD_DIM * sizeof *v);
    }
    for (int h = 0; h < N_HEADS; h++) {
        int g = kv_head_of(h, N_HEADS, N_KV_HEADS);
        if (g < 0 || g >= N_KV_HEADS) {
            abort(); /* counts as a crash of this line */
        }
        attend_to_cache(mixed + h * HEAD_DIM, q + h * HEAD_DIM, your_keys, your_values, g, N_TOKENS,
                        your_position + 1, HEAD_DIM);
    }
    to_float(heads, mixed, Q_WIDTH);
    matmul_plain(branch, MAX, heads, Q_WIDTH, &weights.w_o, &(struct tensor){.data = NULL}, 1);
    to_double(out, branch, n);
}

static void your_ffn(double *out, const double *in, int n)
{
    float x[MAX] = {0}, scratch[2 * D_FF];
    to_float(x, in, n);
    ffn_forward(x, x, &weights.ffn, 1, scratch, 0, NULL, NULL, 0);
    to_double(out, x, n);
}

/* Your parts in your block, one token after the other. */
double your_block(int element)
{
    double x[D_MODEL], out[D_MODEL], scratch[D_MODEL];
    for (your_position = 0; your_position < N_TOKENS; your_position++) {
        to_double(x, tokens + your_position * D_MODEL, D_MODEL);
        pre_norm_block(out, x, D_MODEL, your_attention_norm, your_attention, your_ffn_norm, your_ffn,
                       scratch);
    }
    return out[element];
}
