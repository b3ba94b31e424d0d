#include "common/decoder_block.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/matmul.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

/* Two layers' worth of float32 products, sums of up to 80 terms of the order of 1, in another order than PyTorch's:
 * 80 half-units of 2^-24 and some amplification. eps outside the root already gives 2e-4. */
static const double tolerance = 8e-6;

enum { MAX_TENSORS = 16, MAX_TOKENS = 32 };

/* A block with the weights of a golden file, two sequences of L tokens, and everything that a forward pass needs. */
struct block {
    struct golden golden;
    float *owned[MAX_TENSORS];
    int n_owned;
    struct decoder_block_config config;
    struct decoder_block_weights weights;
    struct rope_table rope;
    int n_sequences, seq_len;
    size_t n_values; /* n_sequences * seq_len * d_model */
    float *input;    /* [n_sequences, seq_len, d_model] */
    int32_t position[MAX_TOKENS];
    struct kv_cache cache[2];
    struct kv_cache *owner[MAX_TOKENS];
    int32_t slot[MAX_TOKENS];
};

static struct tensor matrix(struct block *b, const char *name, int rows, int cols)
{
    size_t n;
    ck_assert_int_lt(b->n_owned, MAX_TENSORS);
    float *values = golden_f32(&b->golden, name, &n);
    ck_assert_uint_eq(n, (size_t)rows * (size_t)cols);
    b->owned[b->n_owned++] = values;
    return tensor_f32(values, rows, cols);
}

static void finish_block(struct block *b, int seq_len, double theta)
{
    size_t n;
    b->n_sequences = 2;
    b->seq_len = seq_len;
    b->input = golden_f32(&b->golden, "x", &n);
    b->n_values = 2 * (size_t)seq_len * (size_t)b->config.d_model;
    ck_assert_uint_eq(n, b->n_values);
    ck_assert_int_eq(rope_table_init(&b->rope, b->config.head_dim, theta, 2000, NULL), STATUS_OK);
    for (int s = 0; s < 2; s++) {
        ck_assert_int_eq(kv_cache_init(&b->cache[s], 1, b->config.n_kv_heads, b->config.head_dim, 16, NULL),
                         STATUS_OK);
        size_t size = (size_t)b->config.n_kv_heads * (size_t)b->config.head_dim * 16;
        for (size_t i = 0; i < size; i++) { /* what reads a slot that was not written shows it */
            b->cache[s].k[i] = b->cache[s].v[i] = NAN;
        }
        for (int t = 0; t < seq_len; t++) {
            b->position[s * seq_len + t] = t;
            b->owner[s * seq_len + t] = &b->cache[s];
        }
    }
}

/* The article's form: multi-head, a bias everywhere, gate and up in one matrix, eps 1e-8. */
static struct block *open_article_block(void)
{
    struct block *b = test_alloc(sizeof *b);
    *b = (struct block){.config = {.d_model = 32,
                                   .n_heads = 4,
                                   .n_kv_heads = 4,
                                   .head_dim = 8,
                                   .d_ff = 48,
                                   .rms_norm_eps = 1e-8,
                                   .rope_layout = ROPE_HALF}};
    golden_open(&b->golden, "ch5_block_mha");
    struct decoder_block_weights *w = &b->weights;
    w->attn_norm = matrix(b, "p.norm1", 1, 32);
    w->w_q = matrix(b, "p.w_q", 32, 32);
    w->b_q = matrix(b, "p.b_q", 1, 32);
    w->w_k = matrix(b, "p.w_k", 32, 32);
    w->b_k = matrix(b, "p.b_k", 1, 32);
    w->w_v = matrix(b, "p.w_v", 32, 32);
    w->b_v = matrix(b, "p.b_v", 1, 32);
    w->w_o = matrix(b, "p.w_o", 32, 32);
    w->b_o = matrix(b, "p.b_o", 1, 32);
    w->ffn_norm = matrix(b, "p.norm2", 1, 32);
    struct tensor w1 = matrix(b, "p.w1", 96, 32);
    struct tensor b1 = matrix(b, "p.b1", 1, 96);
    w->ffn.activation = ACTIVATION_SILU;
    w->ffn.w_gate = tensor_rows(&w1, 0, 48);
    w->ffn.w_up = tensor_rows(&w1, 48, 48);
    w->ffn.b_gate = tensor_f32(b1.data, 1, 48);
    w->ffn.b_up = tensor_f32((const float *)b1.data + 48, 1, 48);
    w->ffn.w_down = matrix(b, "p.w2", 32, 48);
    w->ffn.b_down = matrix(b, "p.b2", 1, 32);
    finish_block(b, 7, 1e4);
    return b;
}

/* Qwen2.5's form: grouped heads, a bias on Q, K and V, two matrices, eps 1e-6; positions with gaps. */
static struct block *open_qwen_block(void)
{
    struct block *b = test_alloc(sizeof *b);
    *b = (struct block){.config = {.d_model = 48,
                                   .n_heads = 6,
                                   .n_kv_heads = 2,
                                   .head_dim = 8,
                                   .d_ff = 80,
                                   .rms_norm_eps = 1e-6,
                                   .rope_layout = ROPE_HALF}};
    golden_open(&b->golden, "ch5_block_gqa");
    struct decoder_block_weights *w = &b->weights;
    w->attn_norm = matrix(b, "input_layernorm.weight", 1, 48);
    w->w_q = matrix(b, "self_attn.q_proj.weight", 48, 48);
    w->b_q = matrix(b, "self_attn.q_proj.bias", 1, 48);
    w->w_k = matrix(b, "self_attn.k_proj.weight", 16, 48);
    w->b_k = matrix(b, "self_attn.k_proj.bias", 1, 16);
    w->w_v = matrix(b, "self_attn.v_proj.weight", 16, 48);
    w->b_v = matrix(b, "self_attn.v_proj.bias", 1, 16);
    w->w_o = matrix(b, "self_attn.o_proj.weight", 48, 48);
    w->ffn_norm = matrix(b, "post_attention_layernorm.weight", 1, 48);
    w->ffn.activation = ACTIVATION_SILU;
    w->ffn.w_gate = matrix(b, "mlp.gate_proj.weight", 80, 48);
    w->ffn.w_up = matrix(b, "mlp.up_proj.weight", 80, 48);
    w->ffn.w_down = matrix(b, "mlp.down_proj.weight", 48, 80);
    finish_block(b, 9, 1e6);
    int32_t *position = golden_i32(&b->golden, "positions", NULL);
    memcpy(b->position, position, 18 * sizeof *position);
    free(position);
    return b;
}

static void close_block(struct block *b)
{
    for (int i = 0; i < b->n_owned; i++) {
        free(b->owned[i]);
    }
    free(b->input);
    rope_table_free(&b->rope);
    kv_cache_free(&b->cache[0]);
    kv_cache_free(&b->cache[1]);
    golden_close(&b->golden);
    free(b);
}

/* Tokens first .. first+n-1 of the case go through the block; x holds their rows, in place. */
static void forward(struct block *b, float *x, int first, int n, const uint8_t *mask,
                    const struct decoder_block_training *training, const struct hook *hook)
{
    struct batch batch = {.n_tokens = n,
                          .position = b->position + first,
                          .sequence = b->owner + first,
                          .slot = b->slot + first,
                          .mask = mask,
                          .mask_stride = (size_t)b->seq_len};
    ck_assert_int_eq(batch_place(&batch, NULL), STATUS_OK);
    float *scratch = test_alloc(decoder_block_scratch_size(&b->config, &batch, hook) * sizeof *scratch);
    decoder_block_forward(x, &b->config, &b->weights, &batch, 0, &b->rope, scratch, training, hook);
    free(scratch);
}

static void forget(struct block *b)
{
    kv_cache_truncate(&b->cache[0], 0);
    kv_cache_truncate(&b->cache[1], 0);
}

/* The output of all tokens for the given input, from empty caches. The caller frees. */
static float *run_all(struct block *b, const float *input, const uint8_t *mask,
                      const struct decoder_block_training *training, const struct hook *hook)
{
    float *x = test_alloc(b->n_values * sizeof *x);
    memcpy(x, input, b->n_values * sizeof *x);
    forget(b);
    forward(b, x, 0, 2 * b->seq_len, mask, training, hook);
    return x;
}

/* A hook that keeps the values of the operation it is asked for. */
struct recorder {
    const char *operation;
    float *values; /* [n], owned */
    size_t n;
};

static void record(void *context, const char *operation, int layer, float *values, int n_rows, int n_cols,
                   size_t stride)
{
    struct recorder *r = context;
    ck_assert_int_eq(layer, 0);
    ck_assert_uint_eq(stride, (size_t)n_cols);
    if (strcmp(operation, r->operation) == 0) {
        ck_assert_ptr_null(r->values);
        r->n = (size_t)n_rows * (size_t)n_cols;
        r->values = test_alloc(r->n * sizeof *values);
        memcpy(r->values, values, r->n * sizeof *values);
    }
}

/* The values of one operation in a run over all tokens. The caller frees. */
static float *values_of(struct block *b, const char *operation, const uint8_t *mask,
                        const struct decoder_block_training *training, size_t *n)
{
    struct recorder recorder = {operation, NULL, 0};
    struct hook hook = {.call = record, .context = &recorder, .attention_weights = true};
    float *out = run_all(b, b->input, mask, training, &hook);
    free(out);
    ck_assert_ptr_nonnull(recorder.values);
    if (n != NULL) {
        *n = recorder.n;
    }
    return recorder.values;
}

/* Output and attention weights against the golden "out.<name>" and "attn.<name>" [sequence, head, query, key]. */
static void compare_article(const char *name, const uint8_t *mask)
{
    enum { L = 7, HEADS = 4 };
    struct block *b = open_article_block();
    char tensor[32];
    snprintf(tensor, sizeof tensor, "out.%s", name);
    double *expected = golden_f64(&b->golden, tensor, NULL);
    float *out = run_all(b, b->input, mask, NULL, NULL);
    assert_near(out, expected, b->n_values, tolerance, 0);
    free(expected);
    free(out);

    size_t n;
    snprintf(tensor, sizeof tensor, "attn.%s", name);
    expected = golden_f64(&b->golden, tensor, NULL);
    float *weights = values_of(b, "attention.weights", mask, NULL, &n); /* [sequence, query, head, key] */
    ck_assert_uint_eq(n, 2 * L * HEADS * L);
    for (int s = 0; s < 2; s++) {
        for (int h = 0; h < HEADS; h++) {
            for (int query = 0; query < L; query++) {
                assert_near(weights + ((s * L + query) * HEADS + h) * L,
                            expected + ((s * HEADS + h) * L + query) * L, L, 1e-6, 0);
            }
        }
    }
    free(expected);
    free(weights);
    close_block(b);
}

/* A golden's int64 mask as bytes. The caller frees. */
static uint8_t *mask_of(const char *tensor)
{
    struct golden golden;
    size_t n;
    golden_open(&golden, "ch5_block_mha");
    int64_t *wide = golden_i64(&golden, tensor, &n);
    uint8_t *mask = test_alloc(n);
    ck_assert_uint_eq(n, 2 * 7 * 7); /* [2, 7, 7] and [2, 1, 7, 7] are the same bytes */
    for (size_t i = 0; i < n; i++) {
        mask[i] = wide[i] != 0;
    }
    free(wide);
    golden_close(&golden);
    return mask;
}

START_TEST(article_without_a_mask_sees_everything)
{
    uint8_t mask[2 * 7 * 7];
    memset(mask, 1, sizeof mask);
    compare_article("nomask", mask);
}
END_TEST

START_TEST(article_causal)
{
    compare_article("causal", NULL);
    uint8_t mask[2 * 7 * 7] = {0};
    for (int row = 0; row < 2 * 7; row++) {
        memset(mask + row * 7, 1, (size_t)(row % 7) + 1);
    }
    compare_article("causal", mask); /* a causal mask and no mask are the same */
}
END_TEST

START_TEST(article_mask_of_four_dimensions)
{
    uint8_t *mask = mask_of("mask.4d");
    compare_article("mask4d", mask);
    free(mask);
}
END_TEST

START_TEST(article_mask_of_three_dimensions)
{
    uint8_t *mask = mask_of("mask.3d");
    compare_article("mask3d", mask);
    free(mask);
}
END_TEST

/* Row 2 of sequence 0 is hidden altogether: attention gives zeros there, and W_o its bias. */
START_TEST(a_hidden_row_gets_zeros_before_w_o)
{
    struct block *b = open_article_block();
    uint8_t *mask = mask_of("mask.3d");
    float *attention = values_of(b, "attention", mask, NULL, NULL);
    float *o_proj = values_of(b, "o_proj", mask, NULL, NULL);
    for (int i = 0; i < 32; i++) {
        ck_assert(attention[2 * 32 + i] == 0.0F);
        ck_assert(o_proj[2 * 32 + i] == tensor_at(&b->weights.b_o, 0, i));
    }
    free(attention);
    free(o_proj);
    free(mask);
    close_block(b);
}
END_TEST

START_TEST(qwen_with_gaps_in_the_positions)
{
    struct block *b = open_qwen_block();
    double *expected = golden_f64(&b->golden, "out", NULL);
    float *out = run_all(b, b->input, NULL, NULL, NULL);
    assert_near(out, expected, b->n_values, tolerance, 0);
    free(expected);
    free(out);
    close_block(b);
}
END_TEST

static double largest_difference(const float *a, const float *b, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        double difference = fabs((double)a[i] - (double)b[i]);
        ck_assert(!isnan(difference));
        largest = difference > largest ? difference : largest;
    }
    return largest;
}

/* cases.md 6, 35, 36: one by one and in two pieces; slots beyond the sequence hold NaN; the cached keys are those of a
 * whole prefill, so none is rotated twice. */
START_TEST(decoding_equals_prefill)
{
    struct block *b = open_qwen_block();
    float *whole = run_all(b, b->input, NULL, NULL, NULL);
    float *x = test_alloc(b->n_values * sizeof *x), *keys = test_alloc(16 * 8 * sizeof *keys);
    memcpy(keys, kv_cache_keys(&b->cache[0], 0, 1), 9 * 8 * sizeof *keys);

    memcpy(x, b->input, b->n_values * sizeof *x);
    forget(b);
    for (int t = 0; t < 18; t++) {
        forward(b, x + t * 48, t, 1, NULL, NULL, NULL);
    }
    ck_assert(largest_difference(x, whole, b->n_values) <= 1e-5);
    ck_assert(largest_difference(kv_cache_keys(&b->cache[0], 0, 1), keys, 9 * 8) <= 1e-6);

    memcpy(x, b->input, b->n_values * sizeof *x);
    forget(b);
    forward(b, x, 0, 3, NULL, NULL, NULL);
    forward(b, x + 3 * 48, 3, 15, NULL, NULL, NULL); /* the rest of one sequence with all of the other */
    ck_assert(largest_difference(x, whole, b->n_values) <= 1e-5);
    free(x);
    free(keys);
    free(whole);
    close_block(b);
}
END_TEST

START_TEST(the_future_changes_nothing)
{
    struct block *b = open_qwen_block();
    float *before = run_all(b, b->input, NULL, NULL, NULL);
    for (int i = 0; i < 48; i++) {
        b->input[5 * 48 + i] += 1.0F;
    }
    float *after = run_all(b, b->input, NULL, NULL, NULL);
    ck_assert_mem_eq(after, before, 5 * 48 * sizeof *before);
    ck_assert(largest_difference(after + 5 * 48, before + 5 * 48, 4 * 48) > 1e-3);
    ck_assert_mem_eq(after + 9 * 48, before + 9 * 48, 9 * 48 * sizeof *before); /* nor the other sequence */
    free(before);
    free(after);
    close_block(b);
}
END_TEST

/* Only distances count. What is left is the float32 rounding of the rotated pairs. */
START_TEST(a_shift_of_all_positions_changes_nothing)
{
    struct block *b = open_qwen_block();
    float *here = run_all(b, b->input, NULL, NULL, NULL);
    for (int t = 0; t < 18; t++) {
        b->position[t] += 1234;
    }
    float *there = run_all(b, b->input, NULL, NULL, NULL);
    ck_assert(largest_difference(there, here, b->n_values) <= 1e-5);
    b->position[4] += 1; /* one distance changes: it shows */
    float *stretched = run_all(b, b->input, NULL, NULL, NULL);
    ck_assert(largest_difference(stretched, here, b->n_values) > 1e-3);
    free(here);
    free(there);
    free(stretched);
    close_block(b);
}
END_TEST

START_TEST(threads_change_no_bit)
{
    struct block *b = open_qwen_block();
    matmul_set_threads(1);
    float *one = run_all(b, b->input, NULL, NULL, NULL);
    matmul_set_threads(2);
    float *two = run_all(b, b->input, NULL, NULL, NULL);
    ck_assert_mem_eq(two, one, b->n_values * sizeof *one);
    free(one);
    free(two);
    close_block(b);
}
END_TEST

/* Whether each dropped value is 0 or whole / (1 - rate); returns the share that was kept. */
static double check_dropped(const float *dropped, const float *whole, size_t n, double rate)
{
    size_t n_kept = 0, n_not_zero = 0;
    for (size_t i = 0; i < n; i++) {
        double kept = (double)whole[i] / (1 - rate);
        bool is_kept = fabs((double)dropped[i] - kept) <= 4 * 0x1p-24 * fabs(kept) + 1e-6;
        bool is_zero = fabs((double)dropped[i]) <= 1e-6;
        ck_assert_msg(is_kept || is_zero, "[%zu]: %g is neither 0 nor %g", i, (double)dropped[i], kept);
        if (fabs(kept) > 2e-6) {
            n_not_zero++;
            n_kept += is_kept;
        }
    }
    return (double)n_kept / (double)n_not_zero;
}

/* What a branch computed against what arrived in the residual stream: after minus before. */
static void check_branch_dropout(struct block *b, const char *branch, const char *before, const char *after,
                                 double rate)
{
    struct rng rng;
    struct decoder_block_training training = {rate, &rng};
    rng_init(&rng, 3);
    float *computed = values_of(b, branch, NULL, &training, NULL);
    rng_init(&rng, 3);
    float *stream = values_of(b, after, NULL, &training, NULL);
    rng_init(&rng, 3);
    float *base = before != NULL ? values_of(b, before, NULL, &training, NULL) : NULL;
    for (size_t i = 0; i < b->n_values; i++) {
        stream[i] -= base != NULL ? base[i] : b->input[i];
    }
    double share = check_dropped(stream, computed, b->n_values, rate);
    ck_assert_msg(share > 0.65 && share < 0.85, "kept %g", share);
    free(computed);
    free(stream);
    free(base);
}

/* Of the hidden layer a share is 0, and W_down multiplies what is left. */
static void check_hidden_dropout(struct block *b, double rate)
{
    enum { HIDDEN = 48, MODEL = 32 };
    struct rng rng;
    struct decoder_block_training training = {rate, &rng};
    size_t n, n_zero = 0;
    rng_init(&rng, 3);
    float *hidden = values_of(b, "mlp.act", NULL, &training, &n);
    rng_init(&rng, 3);
    float *computed = values_of(b, "mlp.down_proj", NULL, &training, NULL);
    for (size_t i = 0; i < n; i++) {
        n_zero += hidden[i] == 0.0F;
    }
    double share = (double)n_zero / (double)n;
    ck_assert_msg(fabs(share - rate) < 0.08, "%g of the hidden layer is 0", share);
    for (int t = 0; t < 14; t++) {
        double expected[MODEL];
        for (int o = 0; o < MODEL; o++) {
            expected[o] = (double)tensor_at(&b->weights.ffn.b_down, 0, o);
            for (int i = 0; i < HIDDEN; i++) {
                expected[o] +=
                    (double)tensor_at(&b->weights.ffn.w_down, o, i) * (double)hidden[t * HIDDEN + i];
            }
        }
        assert_near(computed + t * MODEL, expected, MODEL, tolerance, 0);
    }
    free(hidden);
    free(computed);
}

/* The article's training form. Rate 1/4: three quarters are kept; 448 elements, five deviations are 0.1. */
START_TEST(training_drops_in_four_places)
{
    struct block *b = open_article_block();
    struct rng rng;
    struct decoder_block_training training = {0.25, &rng};

    float *whole = values_of(b, "attention.weights", NULL, NULL, NULL);
    size_t n;
    rng_init(&rng, 3);
    float *dropped = values_of(b, "attention.weights", NULL, &training, &n);
    double share = check_dropped(dropped, whole, n, 0.25);
    ck_assert_msg(share > 0.68 && share < 0.82, "kept %g", share);
    free(whole);
    free(dropped);

    check_hidden_dropout(b, 0.25);
    check_branch_dropout(b, "o_proj", NULL, "residual", 0.25);
    check_branch_dropout(b, "mlp.down_proj", "residual", "output", 0.25);
    close_block(b);
}
END_TEST

START_TEST(training_is_seeded_and_inference_drops_nothing)
{
    struct block *b = open_article_block();
    struct rng rng;
    struct decoder_block_training training = {0.25, &rng}, none = {0.25, NULL};
    rng_init(&rng, 3);
    float *first = run_all(b, b->input, NULL, &training, NULL);
    rng_init(&rng, 3);
    float *same_seed = run_all(b, b->input, NULL, &training, NULL);
    float *next = run_all(b, b->input, NULL, &training, NULL); /* the generator goes on */
    float *inference = run_all(b, b->input, NULL, NULL, NULL);
    float *no_generator = run_all(b, b->input, NULL, &none, NULL);
    ck_assert_mem_eq(same_seed, first, b->n_values * sizeof *first);
    ck_assert_mem_eq(no_generator, inference, b->n_values * sizeof *first);
    ck_assert(largest_difference(next, first, b->n_values) > 0.1);
    ck_assert(largest_difference(inference, first, b->n_values) > 0.1);
    free(first);
    free(same_seed);
    free(next);
    free(inference);
    free(no_generator);
    close_block(b);
}
END_TEST

/* The order and the shapes that the header promises. */
struct script {
    int n;
    bool attention_weights;
};

static void follow(void *context, const char *operation, int layer, float *values, int n_rows, int n_cols,
                   size_t stride)
{
    static const struct {
        const char *operation;
        int n_rows, n_cols;
    } expected[] = {
        {"input_layernorm", 18, 48},
        {"q_proj", 18, 48},
        {"k_proj", 18, 16},
        {"v_proj", 18, 16},
        {"q_rotated", 18, 48},
        {"k_rotated", 18, 16},
        {"attention.weights", 108, 9},
        {"attention", 18, 48},
        {"o_proj", 18, 48},
        {"residual", 18, 48},
        {"post_attention_layernorm", 18, 48},
        {"mlp.gate_proj", 18, 80},
        {"mlp.up_proj", 18, 80},
        {"mlp.act", 18, 80},
        {"mlp.down_proj", 18, 48},
        {"output", 18, 48},
    };
    struct script *script = context;
    (void)layer;
    (void)values;
    (void)stride;
    if (script->n == 6 && !script->attention_weights) {
        script->n++;
    }
    ck_assert_str_eq(operation, expected[script->n].operation);
    ck_assert_int_eq(n_rows, expected[script->n].n_rows);
    ck_assert_int_eq(n_cols, expected[script->n].n_cols);
    script->n++;
}

START_TEST(the_hook_sees_every_operation_in_order)
{
    struct block *b = open_qwen_block();
    for (int wants = 0; wants < 2; wants++) {
        struct script script = {0, wants != 0};
        struct hook hook = {.call = follow, .context = &script, .attention_weights = wants != 0};
        free(run_all(b, b->input, NULL, NULL, &hook));
        ck_assert_int_eq(script.n, 16);
    }
    close_block(b);
}
END_TEST

/* A hook that writes takes part: with the branch outputs set to 0 the block passes its input through. */
static void erase(void *context, const char *operation, int layer, float *values, int n_rows, int n_cols,
                  size_t stride)
{
    (void)context;
    (void)layer;
    (void)stride;
    if (strcmp(operation, "o_proj") == 0 || strcmp(operation, "mlp.down_proj") == 0) {
        memset(values, 0, (size_t)n_rows * (size_t)n_cols * sizeof *values);
    }
}

START_TEST(a_hook_may_write)
{
    struct block *b = open_qwen_block();
    struct hook hook = {.call = erase};
    float *out = run_all(b, b->input, NULL, NULL, &hook);
    ck_assert_mem_eq(out, b->input, b->n_values * sizeof *out);
    free(out);
    close_block(b);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("decoder_block");
    add_test(suite, "article_without_a_mask_sees_everything", article_without_a_mask_sees_everything);
    add_test(suite, "article_causal", article_causal);
    add_test(suite, "article_mask_of_four_dimensions", article_mask_of_four_dimensions);
    add_test(suite, "article_mask_of_three_dimensions", article_mask_of_three_dimensions);
    add_test(suite, "a_hidden_row_gets_zeros_before_w_o", a_hidden_row_gets_zeros_before_w_o);
    add_test(suite, "qwen_with_gaps_in_the_positions", qwen_with_gaps_in_the_positions);
    add_test(suite, "decoding_equals_prefill", decoding_equals_prefill);
    add_test(suite, "the_future_changes_nothing", the_future_changes_nothing);
    add_test(suite, "a_shift_of_all_positions_changes_nothing", a_shift_of_all_positions_changes_nothing);
    add_test(suite, "threads_change_no_bit", threads_change_no_bit);
    add_test(suite, "training_drops_in_four_places", training_drops_in_four_places);
    add_test(suite, "training_is_seeded_and_inference_drops_nothing",
             training_is_seeded_and_inference_drops_nothing);
    add_test(suite, "the_hook_sees_every_operation_in_order", the_hook_sees_every_operation_in_order);
    add_test(suite, "a_hook_may_write", a_hook_may_write);
    return suite;
}
