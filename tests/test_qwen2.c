/* The whole model against transformers, on small random checkpoints that differ in type, grouping, head width, tying,
 * sharding and spelling of the config. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/generate.h"
#include "common/matmul.h"
#include "common/qwen2.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

static const char *const names[] = {"ch6_qwen2_f32",     "ch6_qwen2_bf16",     "ch6_qwen2_untied",
                                    "ch6_qwen2_sharded", "ch6_qwen2_f16_7to1", "ch6_qwen2_head_dim",
                                    "ch6_qwen2_odd"};
enum { N_MODELS = sizeof names / sizeof names[0], MAX_TOKENS = 32 };

/* A loaded model with what it computes in, and the golden of its outputs. */
struct fixture {
    struct qwen2 model;
    struct qwen2_run run;
    struct kv_cache cache[2];
    struct golden golden;
};

/* Kernels that hold an activation as two bfloat16 terms: 16 to 17 bits, 2^7 times less than float32. */
static bool has_two_terms(const char *kernel)
{
    return strcmp(kernel, "avx512bf16") == 0 || strcmp(kernel, "amx") == 0 || strcmp(kernel, "neonbf16") == 0;
}

/* The bounds here are those of float32: the best kernel that keeps it. The portable one always does. */
static void choose_float32_kernel(void)
{
    struct error error;
    int k = 0;
    while (has_two_terms(matmul_usable_kernel(k))) {
        k++;
    }
    assert_ok(matmul_choose_kernel(matmul_usable_kernel(k), &error), &error);
}

static void open_model(struct fixture *f, const char *folder, int max_tokens, int capacity)
{
    struct error error;
    matmul_set_threads(1); /* the models are small and the machine may be busy */
    choose_float32_kernel();
    assert_ok(qwen2_load(&f->model, folder, &error), &error);
    assert_ok(qwen2_run_init(&f->run, &f->model, max_tokens, &error), &error);
    for (int i = 0; i < 2; i++) {
        assert_ok(qwen2_cache_init(&f->cache[i], &f->model, capacity, &error), &error);
    }
}

static void open_fixture(struct fixture *f, const char *name)
{
    char out[64];
    open_model(f, golden_path(name), MAX_TOKENS, MAX_TOKENS);
    snprintf(out, sizeof out, "%s_out", name);
    golden_open(&f->golden, out);
}

static void close_model(struct fixture *f)
{
    for (int i = 0; i < 2; i++) {
        kv_cache_free(&f->cache[i]);
    }
    qwen2_run_free(&f->run);
    qwen2_free(&f->model);
}

static void close_fixture(struct fixture *f)
{
    golden_close(&f->golden);
    close_model(f);
}

/* One pass; token t of the batch goes to cache[sequence[t]] (NULL: all to the first). All rows of logits; the caller
 * frees. */
static float *forward(struct fixture *f, const int32_t *token, const int32_t *position, const int *sequence,
                      int n, const struct hook *hook)
{
    struct error error;
    struct kv_cache *caches[MAX_TOKENS];
    int32_t rows[MAX_TOKENS];
    for (int t = 0; t < n; t++) {
        caches[t] = &f->cache[sequence != NULL ? sequence[t] : 0];
        rows[t] = t;
    }
    const struct batch batch = {.n_tokens = n, .token = token, .position = position, .sequence = caches};
    float *logits = test_alloc((size_t)n * (size_t)f->model.config.vocab_size * sizeof *logits);
    assert_ok(qwen2_forward(&f->model, &f->run, &batch, rows, n, logits, hook, &error), &error);
    return logits;
}

static void count_up(int32_t *position, int n)
{
    for (int i = 0; i < n; i++) {
        position[i] = i;
    }
}

/* ---- logits and hidden states ------------------------------------------------------------------------------------ */

struct recorder {
    float *
        hidden; /* [n_layers + 1, n_tokens, d_model]: embedding, output of each layer but the last, final norm */
    int n_layers;
};

static void record(void *context, const char *operation, int layer, float *values, int n_rows, int n_cols,
                   size_t stride)
{
    struct recorder *recorder = context;
    bool output = strcmp(operation, "output") == 0 && layer < recorder->n_layers - 1;
    if (!output && strcmp(operation, "embed_tokens") != 0 && strcmp(operation, "norm") != 0) {
        return;
    }
    int index = output ? layer + 1 : layer < 0 ? 0 : layer;
    for (int r = 0; r < n_rows; r++) {
        memcpy(recorder->hidden + ((size_t)index * (size_t)n_rows + (size_t)r) * (size_t)n_cols,
               values + (size_t)r * stride, (size_t)n_cols * sizeof *values);
    }
}

/* What a kernel's arithmetic allows. float32: a few units in the last place; eps outside the root would already give 2e-4. */
static double logits_bound(const char *kernel)
{
    return has_two_terms(kernel) ? 5e-4 : 5e-5;
}

START_TEST(logits_are_those_of_transformers)
{
    struct fixture f;
    size_t n = 0;
    size_t n_expected = 0;
    int32_t position[MAX_TOKENS] = {0};
    open_fixture(&f, names[_i]);
    int32_t *ids = golden_i32(&f.golden, "ids", &n);
    double *expected = golden_f64(&f.golden, "logits", &n_expected);
    count_up(position, (int)n);
    ck_assert_uint_eq(n_expected, n * (size_t)f.model.config.vocab_size);
    for (int k = 0; matmul_usable_kernel(k) != NULL; k++) {
        struct error error;
        assert_ok(matmul_choose_kernel(matmul_usable_kernel(k), &error), &error);
        kv_cache_truncate(&f.cache[0], 0);
        float *got = forward(&f, ids, position, NULL, (int)n, NULL);
        assert_near(got, expected, n_expected, logits_bound(matmul_usable_kernel(k)), 0);
        free(got);
    }
    free(expected);
    free(ids);
    close_fixture(&f);
}
END_TEST

START_TEST(hidden_states_are_those_of_transformers)
{
    struct fixture f;
    size_t n = 0;
    int32_t position[MAX_TOKENS] = {0};
    open_fixture(&f, names[_i]);
    const struct model_config *config = &f.model.config;
    int32_t *ids = golden_i32(&f.golden, "ids", &n);
    count_up(position, (int)n);
    size_t per_layer = n * (size_t)config->d_model;
    struct recorder recorder = {test_alloc(((size_t)config->n_layers + 1) * per_layer * sizeof(float)),
                                config->n_layers};
    const struct hook hook = {.call = record, .context = &recorder};
    float *with_hook = forward(&f, ids, position, NULL, (int)n, &hook);
    for (int i = 0; i <= config->n_layers; i++) {
        char name[32];
        size_t n_expected = 0;
        snprintf(name, sizeof name, "hidden.%d", i);
        double *expected = golden_f64(&f.golden, name, &n_expected);
        ck_assert_uint_eq(n_expected, per_layer);
        assert_near(recorder.hidden + (size_t)i * per_layer, expected, per_layer, 1e-4, 0);
        free(expected);
    }
    kv_cache_truncate(&f.cache[0], 0);
    float *without = forward(&f, ids, position, NULL, (int)n, NULL);
    size_t bytes = n * (size_t)config->vocab_size * sizeof(float);
    ck_assert_mem_eq(with_hook, without, bytes); /* looking changes nothing */
    free(with_hook);
    free(without);
    free(recorder.hidden);
    free(ids);
    close_fixture(&f);
}
END_TEST

START_TEST(positions_may_have_gaps)
{
    struct fixture f;
    size_t n = 0;
    size_t n_expected = 0;
    open_fixture(&f, names[_i]);
    int32_t *ids = golden_i32(&f.golden, "ids", &n);
    int32_t *position = golden_i32(&f.golden, "gap.positions", NULL);
    double *expected = golden_f64(&f.golden, "gap.logits", &n_expected);
    float *got = forward(&f, ids, position, NULL, (int)n, NULL);
    assert_near(got, expected, n_expected, 1e-4, 0); /* transformers computes the angles in float32 */
    free(got);
    free(expected);
    free(position);
    free(ids);
    close_fixture(&f);
}
END_TEST

/* ---- a batch of two sequences, the second padded on the left -------------------------------------------------------- */

struct padded {
    int32_t *ids, *position;
    int64_t *mask;
    double *logits;
    size_t shape[GOLDEN_MAX_DIMS];
};

/* Columns first .. last-1 of both rows in one pass, without the pads; compares every row of logits. */
static void check_columns(struct fixture *f, const struct padded *p, size_t first, size_t last)
{
    int32_t token[MAX_TOKENS] = {0};
    int32_t position[MAX_TOKENS] = {0};
    int sequence[MAX_TOKENS] = {0};
    size_t at[MAX_TOKENS];
    int n = 0;
    for (size_t row = 0; row < p->shape[0]; row++) {
        for (size_t column = first; column < last; column++) {
            size_t i = row * p->shape[1] + column;
            if (p->mask[i] != 0) {
                token[n] = p->ids[i];
                position[n] = p->position[i];
                sequence[n] = (int)row;
                at[n++] = i;
            }
        }
    }
    float *got = forward(f, token, position, sequence, n, NULL);
    size_t vocab_size = (size_t)f->model.config.vocab_size;
    for (int t = 0; t < n; t++) {
        assert_near(got + (size_t)t * vocab_size, p->logits + at[t] * vocab_size, vocab_size, 5e-5, 0);
    }
    free(got);
}

START_TEST(a_short_row_of_a_batch_is_as_if_alone)
{
    struct fixture f;
    struct padded p;
    open_fixture(&f, names[_i]);
    golden_shape(&f.golden, "batch.ids", p.shape);
    p.ids = golden_i32(&f.golden, "batch.ids", NULL);
    p.position = golden_i32(&f.golden, "batch.positions", NULL);
    p.mask = golden_i64(&f.golden, "batch.mask", NULL);
    p.logits = golden_f64(&f.golden, "batch.logits", NULL);
    check_columns(&f, &p, 0, p.shape[1]);
    for (int i = 0; i < 2; i++) {
        kv_cache_truncate(&f.cache[i], 0);
    }
    check_columns(&f, &p, 0, p.shape[1] - 1);          /* prefill */
    check_columns(&f, &p, p.shape[1] - 1, p.shape[1]); /* one decode step of both */
    free(p.ids);
    free(p.position);
    free(p.mask);
    free(p.logits);
    close_fixture(&f);
}
END_TEST

/* ---- greedy generation -------------------------------------------------------------------------------------------- */

struct collected {
    int32_t id[128];
    int position[128];
    int n;
};

static bool collect(void *context, int32_t id, int position, const float *logits)
{
    struct collected *collected = context;
    (void)logits;
    collected->id[collected->n] = id;
    collected->position[collected->n++] = position;
    return true;
}

START_TEST(greedy_ids_are_those_of_transformers)
{
    struct fixture f;
    struct error error;
    struct sampler sampler;
    struct generate_result result;
    struct collected collected = {.n = 0};
    const struct generation_config no_end = {.n_end_ids = 0};
    const struct sampler_settings greedy = {true, 1, 0, 1, 1};
    size_t n_prompt = 0;
    size_t n_expected = 0;
    open_fixture(&f, names[_i]);
    int32_t *prompt = golden_i32(&f.golden, "greedy.prompt", &n_prompt);
    int32_t *expected = golden_i32(&f.golden, "greedy.out", &n_expected);
    assert_ok(sampler_init(&sampler, &greedy, f.model.config.vocab_size, 0, &error), &error);
    assert_ok(generate(&f.model, &f.run, &f.cache[0], &no_end, &sampler, prompt, (int)n_prompt,
                       (int)n_expected, collect, &collected, NULL, &result, &error),
              &error);
    ck_assert_int_eq(collected.n, (int)n_expected);
    for (size_t i = 0; i < n_expected; i++) {
        ck_assert_msg(collected.id[i] == expected[i], "%s: token %zu: got %d, expected %d", names[_i], i,
                      collected.id[i], expected[i]);
        ck_assert_int_eq(collected.position[i], (int)(n_prompt + i));
    }
    sampler_free(&sampler);
    free(prompt);
    free(expected);
    close_fixture(&f);
}
END_TEST

/* ---- what bfloat16 activations would cost ---------------------------------------------------------------------------- */

START_TEST(bfloat16_activations_are_farther_off_than_ours)
{
    static const char *const low_names[] = {"ch6_qwen2_bf16_out", "ch6_qwen2_sharded_out",
                                            "ch6_qwen2_head_dim_out"};
    for (int i = 0; i < 3; i++) {
        struct golden golden;
        size_t n = 0;
        double worst = 0;
        golden_open(&golden, low_names[i]);
        double *exact = golden_f64(&golden, "logits", NULL);
        double *low = golden_f64(&golden, "bf16_activations.logits", &n);
        for (size_t k = 0; k < n; k++) {
            worst = fmax(worst, fabs(low[k] - exact[k]));
        }
        ck_assert_msg(worst > 100 * 5e-5, "%s: %g", low_names[i], worst);
        free(exact);
        free(low);
        golden_close(&golden);
    }
}
END_TEST

/* ---- one code path: however the tokens are split, batched or computed ------------------------------------------------- */

/* Logits of one sequence, in passes of the given sizes (0 ends the list). */
static float *in_pieces(struct fixture *f, const int32_t *ids, const int *sizes)
{
    int32_t position[MAX_TOKENS] = {0};
    size_t vocab_size = (size_t)f->model.config.vocab_size;
    float *all = test_alloc(MAX_TOKENS * vocab_size * sizeof *all);
    int done = 0;
    count_up(position, MAX_TOKENS);
    kv_cache_truncate(&f->cache[0], 0);
    for (int i = 0; sizes[i] > 0; i++) {
        float *part = forward(f, ids + done, position + done, NULL, sizes[i], NULL);
        memcpy(all + (size_t)done * vocab_size, part, (size_t)sizes[i] * vocab_size * sizeof *part);
        done += sizes[i];
        free(part);
    }
    return all;
}

/* Fails unless got is within 1e-5 of the largest expected logit. */
static void assert_same_logits(const float *got, const float *expected, size_t n)
{
    float largest = 0;
    for (size_t i = 0; i < n; i++) {
        largest = fmaxf(largest, fabsf(expected[i]));
    }
    for (size_t i = 0; i < n; i++) {
        float error = fabsf(got[i] - expected[i]);
        ck_assert_msg(error <= 1e-5F * largest, "[%zu]: got %g, expected %g", i, (double)got[i],
                      (double)expected[i]);
    }
}

START_TEST(any_split_gives_the_same_logits)
{
    static const int splits[][12] = {{7, 3, 0}, {1, 9, 0}, {9, 1, 0}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}};
    struct fixture f;
    open_fixture(&f, names[_i]);
    int32_t *ids = golden_i32(&f.golden, "ids", NULL);
    const int whole[] = {10, 0};
    float *expected = in_pieces(&f, ids, whole);
    for (size_t i = 0; i < sizeof splits / sizeof splits[0]; i++) {
        float *got = in_pieces(&f, ids, splits[i]);
        assert_same_logits(got, expected, 10 * (size_t)f.model.config.vocab_size);
        free(got);
    }
    free(expected);
    free(ids);
    close_fixture(&f);
}
END_TEST

START_TEST(one_thread_or_two_give_the_same_bits)
{
    struct fixture f;
    const int sizes[] = {12, 1, 1, 0};
    open_fixture(&f, names[_i]);
    int32_t *ids = golden_i32(&f.golden, "ids", NULL);
    float *one = in_pieces(&f, ids, sizes);
    matmul_set_threads(2);
    float *two = in_pieces(&f, ids, sizes);
    ck_assert_mem_eq(one, two, 14 * (size_t)f.model.config.vocab_size * sizeof *one);
    free(one);
    free(two);
    free(ids);
    close_fixture(&f);
}
END_TEST

/* Keys are rotated once, by their own position, on their way into the cache; unused slots are never read. */
START_TEST(the_cache_is_the_same_after_decoding_and_after_prefill)
{
    struct fixture f;
    const int pieces[] = {7, 1, 1, 1, 0};
    const int whole[] = {10, 0};
    open_fixture(&f, names[_i]);
    const struct model_config *config = &f.model.config;
    int32_t *ids = golden_i32(&f.golden, "ids", NULL);
    size_t n = (size_t)config->n_layers * (size_t)config->n_kv_heads * MAX_TOKENS * (size_t)config->head_dim;
    for (size_t i = 0; i < n; i++) {
        f.cache[0].k[i] = NAN;
        f.cache[0].v[i] = NAN;
    }
    free(in_pieces(&f, ids, pieces));
    struct kv_cache decoded = f.cache[0];
    f.cache[0] = f.cache[1];
    f.cache[1] = decoded;
    free(in_pieces(&f, ids, whole));
    for (int layer = 0; layer < config->n_layers; layer++) {
        /* one product deep; then what the layers before have rounded differently */
        const float bound = layer == 0 ? 1e-6F : 1e-5F;
        for (int head = 0; head < config->n_kv_heads; head++) {
            for (int i = 0; i < 10 * config->head_dim; i++) {
                float k = kv_cache_keys(&decoded, layer, head)[i];
                float v = kv_cache_values(&decoded, layer, head)[i];
                ck_assert_float_le(fabsf(k - kv_cache_keys(&f.cache[0], layer, head)[i]),
                                   bound * (1 + fabsf(k)));
                ck_assert_float_le(fabsf(v - kv_cache_values(&f.cache[0], layer, head)[i]),
                                   bound * (1 + fabsf(v)));
            }
            ck_assert(isnan(kv_cache_keys(&decoded, layer, head)[10 * config->head_dim]));
        }
    }
    free(ids);
    close_fixture(&f);
}
END_TEST

/* Two sequences packed into one pass, [0, 3, 5]: the second is as if alone, whatever the first says. */
START_TEST(packed_sequences_do_not_leak)
{
    static const int sequence[] = {0, 0, 0, 1, 1};
    static const int32_t position[] = {0, 1, 2, 0, 1};
    static const int alone[] = {2, 0};
    struct fixture f;
    int32_t token[5];
    open_fixture(&f, names[_i]);
    int32_t *ids = golden_i32(&f.golden, "ids", NULL);
    size_t second = 3 * (size_t)f.model.config.vocab_size;
    size_t n = 2 * (size_t)f.model.config.vocab_size;
    memcpy(token, ids, sizeof token);
    float *packed = forward(&f, token, position, sequence, 5, NULL);
    for (int i = 0; i < 3; i++) {
        token[i] = (token[i] + 5) % f.model.config.vocab_size;
    }
    for (int i = 0; i < 2; i++) {
        kv_cache_truncate(&f.cache[i], 0);
    }
    float *changed = forward(&f, token, position, sequence, 5, NULL);
    float *single = in_pieces(&f, ids + 3, alone);
    ck_assert_mem_eq(packed + second, changed + second, n * sizeof *packed);
    ck_assert_mem_ne(packed, changed, n * sizeof *packed);
    assert_same_logits(packed + second, single, n);
    free(packed);
    free(changed);
    free(single);
    free(ids);
    close_fixture(&f);
}
END_TEST

/* ---- what can go wrong before the first layer --------------------------------------------------------------------------- */

START_TEST(an_error_before_the_first_layer_leaves_the_caches_unchanged)
{
    struct fixture f;
    struct error error;
    int32_t token[MAX_TOKENS + 1] = {0};
    int32_t position[MAX_TOKENS + 1] = {0};
    open_fixture(&f, names[0]);
    struct kv_cache *caches[MAX_TOKENS];
    const int32_t last = MAX_TOKENS - 1;
    float *logits = test_alloc(qwen2_logits_bytes(&f.model, 1));
    count_up(position, MAX_TOKENS);
    for (int t = 0; t < MAX_TOKENS; t++) {
        caches[t] = &f.cache[0];
    }
    const struct batch batch = {
        .n_tokens = MAX_TOKENS, .token = token, .position = position, .sequence = caches};
    token[5] = 320;
    assert_error(qwen2_forward(&f.model, &f.run, &batch, &last, 1, logits, NULL, &error), &error,
                 STATUS_LIMIT, "", "token id 320: outside the vocabulary, expected 0 to 319");
    ck_assert_int_eq(f.cache[0].length, 0);
    token[5] = 319;
    assert_ok(qwen2_prefill(&f.model, &f.run, &f.cache[0], token, 1, NULL, NULL, &error), &error);
    assert_error(qwen2_forward(&f.model, &f.run, &batch, &last, 1, logits, NULL, &error), &error,
                 STATUS_LIMIT, "", "context: full: 32 tokens fit, token 32 of this pass is one more");
    ck_assert_int_eq(f.cache[0].length, 1);
    kv_cache_truncate(&f.cache[0], 0);
    assert_ok(qwen2_forward(&f.model, &f.run, &batch, &last, 1, logits, NULL, &error), &error);
    ck_assert_ptr_null(batch.slot); /* the run's memory was used */
    free(logits);
    close_fixture(&f);
}
END_TEST

START_TEST(positions_beyond_the_trained_range_grow_the_table)
{
    struct fixture f;
    open_fixture(&f, names[6]);
    const int32_t token[] = {5, 6};
    const int32_t position[] = {3, 5000}; /* max_position_embeddings is 512 */
    float *far = forward(&f, token, position, NULL, 2, NULL);
    ck_assert_int_eq(f.run.rope.n_positions, 5001);
    for (int i = 0; i < 2 * f.model.config.vocab_size; i++) {
        ck_assert(isfinite(far[i]));
    }
    free(far);
    close_fixture(&f);
}
END_TEST

static void add_loop(Suite *suite, const char *name, const TTest *test)
{
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, test, 0, N_MODELS);
    suite_add_tcase(suite, tcase);
}

Suite *make_suite(void)
{
    Suite *suite = suite_create("qwen2");
    add_loop(suite, "logits", logits_are_those_of_transformers);
    add_loop(suite, "hidden states", hidden_states_are_those_of_transformers);
    add_loop(suite, "positions with gaps", positions_may_have_gaps);
    add_loop(suite, "batch", a_short_row_of_a_batch_is_as_if_alone);
    add_loop(suite, "greedy", greedy_ids_are_those_of_transformers);
    add_loop(suite, "splits", any_split_gives_the_same_logits);
    add_loop(suite, "threads", one_thread_or_two_give_the_same_bits);
    add_loop(suite, "cache", the_cache_is_the_same_after_decoding_and_after_prefill);
    add_loop(suite, "packed", packed_sequences_do_not_leak);
    add_test(suite, "errors", an_error_before_the_first_layer_leaves_the_caches_unchanged);
    add_test(suite, "far positions", positions_beyond_the_trained_range_grow_the_table);
    add_test(suite, "bfloat16 activations", bfloat16_activations_are_farther_off_than_ours);
    return suite;
}
