/* From a prompt to tokens: where generation stops, what the cache holds then, and the bundled story model against
 * transformers. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/generate.h"
#include "common/matmul.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

enum { MAX_IDS = 128 };
static const char story_model[] = "chapters/06-qwen2.5/tiny-stories";
static const struct sampler_settings greedy = {true, 1, 0, 1, 1};

/* Everything that one generation needs, and what came of it. */
struct fixture {
    struct qwen2 model;
    struct qwen2_run run;
    struct kv_cache cache;
    struct sampler sampler;
    struct generation_config config;
    struct generate_result result;
    struct error error;
    int32_t id[MAX_IDS];
    int position[MAX_IDS];
    int n, stop_after; /* the callback says stop at this token; 0: never */
};

static void open_fixture(struct fixture *f, const char *folder, struct sampler_settings settings,
                         int capacity)
{
    memset(f, 0, sizeof *f);
    matmul_set_threads(1); /* the models are small and the machine may be busy */
    assert_ok(matmul_choose_kernel(NULL, &f->error), &f->error);
    assert_ok(qwen2_load(&f->model, folder, &f->error), &f->error);
    assert_ok(qwen2_run_init(&f->run, &f->model, 5, &f->error),
              &f->error); /* longer prompts take several passes */
    assert_ok(qwen2_cache_init(&f->cache, &f->model, capacity, &f->error), &f->error);
    assert_ok(sampler_init(&f->sampler, &settings, f->model.config.vocab_size, 1, &f->error), &f->error);
}

static void close_fixture(struct fixture *f)
{
    sampler_free(&f->sampler);
    kv_cache_free(&f->cache);
    qwen2_run_free(&f->run);
    qwen2_free(&f->model);
}

static bool collect(void *context, int32_t id, int position, const float *logits)
{
    struct fixture *f = context;
    ck_assert_int_lt(f->n, MAX_IDS);
    ck_assert_int_ge(id, 0);
    /* the logits are those before the penalty: the model's own */
    for (int i = 0; i < f->model.config.vocab_size; i++) {
        ck_assert(isfinite(logits[i]));
    }
    f->id[f->n] = id;
    f->position[f->n++] = position;
    return f->n != f->stop_after;
}

static enum status run(struct fixture *f, const int32_t *prompt, int n_prompt, int max_new)
{
    f->n = 0;
    return generate(&f->model, &f->run, &f->cache, &f->config, &f->sampler, prompt, n_prompt, max_new,
                    collect, f, NULL, &f->result, &f->error);
}

/* The prompt and the greedy continuation of a golden. */
static void read_greedy(int32_t prompt[MAX_IDS], int *n_prompt, int32_t out[MAX_IDS])
{
    struct golden golden;
    size_t n = 0;
    golden_open(&golden, "ch6_qwen2_f32_out");
    int32_t *ids = golden_i32(&golden, "greedy.prompt", &n);
    memcpy(prompt, ids, n * sizeof *ids);
    *n_prompt = (int)n;
    free(ids);
    ids = golden_i32(&golden, "greedy.out", &n);
    memcpy(out, ids, n * sizeof *ids);
    free(ids);
    golden_close(&golden);
}

/* ---- where it stops ---------------------------------------------------------------------------------------------------- */

START_TEST(a_full_cache_ends_it_after_one_more_token)
{
    struct fixture f;
    int n_prompt = 0;
    int32_t prompt[MAX_IDS];
    int32_t expected[MAX_IDS];
    read_greedy(prompt, &n_prompt, expected);
    ck_assert_int_eq(n_prompt, 8);
    open_fixture(&f, golden_path("ch6_qwen2_f32"), greedy, 8);

    assert_ok(run(&f, prompt, 8, 10), &f.error); /* fills the cache: one token is drawn without a write */
    ck_assert_int_eq(f.n, 1);
    ck_assert_int_eq(f.id[0], expected[0]);
    ck_assert_int_eq(f.position[0], 8);
    ck_assert_int_eq(f.result.stop, GENERATE_LENGTH);
    ck_assert_int_eq(f.result.n_new, 1);
    ck_assert_int_eq(f.result.n_prompt, 8);
    ck_assert(f.result.prefill_seconds > 0 && f.result.prefill_seconds < 60);
    ck_assert(f.result.decode_seconds > 0 && f.result.decode_seconds < 60);
    ck_assert_int_eq(f.cache.length, 8);

    assert_error(run(&f, prompt, 1, 10), &f.error, STATUS_LIMIT, "",
                 "context: 1 tokens do not fit: 8 of 8 are in use");
    kv_cache_truncate(&f.cache, 0);
    assert_ok(run(&f, prompt, 6, 10), &f.error); /* two writes, three tokens */
    ck_assert_int_eq(f.n, 3);
    ck_assert_int_eq(f.result.stop, GENERATE_LENGTH);
    ck_assert_int_eq(f.cache.length, 8);

    kv_cache_truncate(&f.cache, 0);
    prompt[8] = 5;
    assert_error(run(&f, prompt, 9, 10), &f.error, STATUS_LIMIT, "",
                 "context: 9 tokens do not fit: 0 of 8 are in use");
    ck_assert_int_eq(f.cache.length, 0);
    close_fixture(&f);
}
END_TEST

START_TEST(no_new_tokens_are_none)
{
    struct fixture f;
    const int32_t prompt[] = {3, 4};
    open_fixture(&f, golden_path("ch6_qwen2_f32"), greedy, 8);
    assert_ok(run(&f, prompt, 2, 0), &f.error);
    ck_assert_int_eq(f.n, 0);
    ck_assert_int_eq(f.result.n_new, 0);
    ck_assert_int_eq(f.result.stop, GENERATE_LENGTH);
    ck_assert_int_eq(f.cache.length, 2);
    close_fixture(&f);
}
END_TEST

/* Either of two end ids, and already as the first token; it is not reported. */
START_TEST(any_of_the_end_ids_ends_it)
{
    struct fixture f;
    int n_prompt = 0;
    int32_t prompt[MAX_IDS];
    int32_t expected[MAX_IDS];
    read_greedy(prompt, &n_prompt, expected);
    open_fixture(&f, golden_path("ch6_qwen2_f32"), greedy, 64);
    for (int at = 0; at < 4; at += 3) {
        for (int place = 0; place < 2; place++) {
            int first = 0; /* the end id may occur earlier than at */
            while (expected[first] != expected[at]) {
                first++;
            }
            kv_cache_truncate(&f.cache, 0);
            f.config.n_end_ids = 2;
            f.config.end_ids[place] = expected[at];
            f.config.end_ids[1 - place] = f.model.config.vocab_size + 7;
            assert_ok(run(&f, prompt, n_prompt, 20), &f.error);
            ck_assert_int_eq(f.n, first);
            ck_assert_int_eq(f.result.stop, GENERATE_END_TOKEN);
            ck_assert_int_eq(f.result.end_id, expected[at]);
            ck_assert_int_eq(f.cache.length, n_prompt + first);
        }
    }
    close_fixture(&f);
}
END_TEST

START_TEST(the_caller_ends_it)
{
    struct fixture f;
    const int32_t prompt[] = {3, 4};
    open_fixture(&f, golden_path("ch6_qwen2_f32"), greedy, 16);
    f.stop_after = 3;
    assert_ok(run(&f, prompt, 2, 10), &f.error);
    ck_assert_int_eq(f.n, 3);
    ck_assert_int_eq(f.result.stop, GENERATE_CALLER);
    ck_assert_int_eq(f.cache.length, 4); /* the third token is reported but not computed */
    close_fixture(&f);
}
END_TEST

/* A second call that begins with the token reported last gives what one call would have given. */
START_TEST(a_second_call_goes_on)
{
    struct fixture f;
    int n_prompt = 0;
    int32_t prompt[MAX_IDS];
    int32_t expected[MAX_IDS];
    read_greedy(prompt, &n_prompt, expected);
    open_fixture(&f, golden_path("ch6_qwen2_f32"), greedy, 64);
    assert_ok(run(&f, prompt, n_prompt, 10), &f.error);
    ck_assert_mem_eq(f.id, expected, 10 * sizeof *expected);
    const int32_t last = f.id[9];
    assert_ok(run(&f, &last, 1, 14), &f.error);
    ck_assert_int_eq(f.n, 14);
    ck_assert_mem_eq(f.id, expected + 10, 14 * sizeof *expected);
    ck_assert_int_eq(f.position[0], n_prompt + 10);
    close_fixture(&f);
}
END_TEST

/* ---- bad prompts ------------------------------------------------------------------------------------------------------- */

START_TEST(an_empty_prompt_or_an_id_outside_is_refused_before_anything_happens)
{
    struct fixture f;
    static const int32_t outside[] = {-1, 97, INT32_MAX, INT32_MIN};
    open_fixture(&f, golden_path("ch6_qwen2_odd"), greedy, 16);
    assert_error(run(&f, NULL, 0, 4), &f.error, STATUS_LIMIT, "",
                 "prompt: empty: there is nothing to continue");
    for (int i = 0; i < 4; i++) {
        char message[128];
        const int32_t prompt[] = {1, 2, 3, 4, 5, 6, 7, outside[i]}; /* in the second pass */
        snprintf(message, sizeof message, "token id %d: outside the vocabulary, expected 0 to 96",
                 outside[i]);
        assert_error(run(&f, prompt, 8, 4), &f.error, STATUS_LIMIT, "", message);
        ck_assert_int_eq(f.cache.length, 0);
    }
    const int32_t last = 96; /* legal, though no tokenizer may give it */
    assert_ok(run(&f, &last, 1, 1), &f.error);
    close_fixture(&f);
}
END_TEST

/* ---- the sampler sees the prompt and what was generated -------------------------------------------------------------- */

START_TEST(the_penalty_knows_prompt_and_output)
{
    struct fixture f;
    const int32_t prompt[] = {3, 4, 3};
    struct sampler_settings settings = greedy;
    settings.repetition_penalty =
        1e6; /* whatever was seen is never the largest again, while others are positive */
    open_fixture(&f, golden_path("ch6_qwen2_f32"), settings, 32);
    assert_ok(run(&f, prompt, 3, 20), &f.error);
    for (int i = 0; i < f.n; i++) {
        ck_assert_int_ne(f.id[i], 3);
        ck_assert_int_ne(f.id[i], 4);
        for (int k = 0; k < i; k++) {
            ck_assert_int_ne(f.id[i], f.id[k]);
        }
    }
    ck_assert_int_eq(f.n, 20);
    close_fixture(&f);
}
END_TEST

/* ---- the bundled story model --------------------------------------------------------------------------------------------- */

static float *all_logits(struct fixture *f, const int32_t *ids, int n, int every)
{
    const int n_rows = (n + every - 1) / every;
    struct qwen2_run wide;
    struct kv_cache **sequence = test_alloc((size_t)n * sizeof(struct kv_cache *));
    int32_t *position = test_alloc((size_t)n * sizeof *position);
    int32_t *rows = test_alloc((size_t)n_rows * sizeof *rows);
    float *logits = test_alloc(qwen2_logits_bytes(&f->model, n_rows));
    for (int t = 0; t < n; t++) {
        sequence[t] = &f->cache;
        position[t] = t;
    }
    for (int r = 0; r < n_rows; r++) {
        rows[r] = r * every;
    }
    assert_ok(qwen2_run_init(&wide, &f->model, n, &f->error), &f->error);
    const struct batch batch = {.n_tokens = n, .token = ids, .position = position, .sequence = sequence};
    assert_ok(qwen2_forward(&f->model, &wide, &batch, rows, n_rows, logits, NULL, &f->error), &f->error);
    qwen2_run_free(&wide);
    free(sequence);
    free(position);
    free(rows);
    return logits;
}

START_TEST(the_story_models_logits_are_those_of_transformers)
{
    static const struct {
        const char *ids, *logits;
        int every;
    } cases[] = {{"prompt.ids", "prompt.logits", 1}, {"passage.ids", "passage.logits", 20}};
    struct fixture f;
    struct golden golden;
    open_fixture(&f, story_model, greedy, 300);
    golden_open(&golden, "tiny-stories");
    for (int i = 0; i < 2; i++) {
        size_t n = 0;
        size_t n_expected = 0;
        int32_t *ids = golden_i32(&golden, cases[i].ids, &n);
        double *expected = golden_f64(&golden, cases[i].logits, &n_expected);
        kv_cache_truncate(&f.cache, 0);
        float *got = all_logits(&f, ids, (int)n, cases[i].every);
        ck_assert_uint_eq(n_expected, (n + (size_t)cases[i].every - 1) / (size_t)cases[i].every * 2048);
        assert_near(got, expected, n_expected, 2e-4, 0); /* float32 against float32, logits up to 20 */
        free(got);
        free(expected);
        free(ids);
    }
    golden_close(&golden);
    close_fixture(&f);
}
END_TEST

static int read_ids(int32_t *out, const json_t *list)
{
    ck_assert_uint_le(json_array_size(list), MAX_IDS);
    for (size_t i = 0; i < json_array_size(list); i++) {
        out[i] = (int32_t)json_integer_value(json_array_get(list, i));
    }
    return (int)json_array_size(list);
}

/* top5 gives logits: their differences are those of the log-probabilities. */
static void check_top(struct fixture *f, const json_t *top, const int32_t *ids, int n)
{
    struct candidate got[5];
    kv_cache_truncate(&f->cache, 0);
    float *logits = all_logits(f, ids, n, 1);
    float *last = logits + (size_t)(n - 1) * 2048;
    sampler_top(got, 5, last, 2048);
    for (size_t k = 0; k < 5; k++) {
        const json_t *pair = json_array_get(top, k);
        double expected = json_number_value(json_array_get(pair, 1));
        double first = json_number_value(json_array_get(json_array_get(top, 0), 1));
        ck_assert_int_eq(got[k].id, (int)json_integer_value(json_array_get(pair, 0)));
        ck_assert_double_le(fabs((double)last[got[k].id] - expected), 2e-4);
        ck_assert_double_le(fabs(log((double)got[k].value / (double)got[0].value) - (expected - first)),
                            4e-4);
    }
    free(logits);
}

static void check_line(struct fixture *f, const json_t *line)
{
    int32_t prompt[MAX_IDS] = {0};
    int32_t expected[MAX_IDS] = {0};
    int n_prompt = read_ids(prompt, json_object_get(line, "ids"));
    int n = read_ids(expected, json_object_get(line, "greedy"));
    ck_assert_int_gt(n, 0);
    bool ended = generation_config_is_end(&f->config, expected[n - 1]);
    check_top(f, json_object_get(line, "top5"), prompt, n_prompt);
    kv_cache_truncate(&f->cache, 0);
    assert_ok(run(f, prompt, n_prompt, n), &f->error);
    ck_assert_int_eq(f->n, ended ? n - 1 : n);
    ck_assert_mem_eq(f->id, expected, (size_t)f->n * sizeof *expected);
    ck_assert_int_eq(f->result.stop, ended ? GENERATE_END_TOKEN : GENERATE_LENGTH);
}

START_TEST(the_story_models_greedy_text_is_that_of_transformers)
{
    struct fixture f;
    char text[1 << 14];
    int n_lines = 0;
    FILE *file = fopen(golden_path("tiny-stories.jsonl"), "r");
    ck_assert_ptr_nonnull(file);
    open_fixture(&f, story_model, greedy, 300);
    assert_ok(generation_config_load(&f.config, story_model, &f.error), &f.error);
    ck_assert_int_eq(f.config.n_end_ids, 2);
    while (fgets(text, sizeof text, file) != NULL) {
        char number[16];
        json_t *line = json_loads(text, 0, NULL);
        ck_assert_ptr_nonnull(line);
        check_line(&f, line);
        json_decref(line);
        snprintf(number, sizeof number, "%d", ++n_lines);
        golden_mark("tiny-stories.jsonl", number);
    }
    ck_assert_int_eq(n_lines, 11);
    fclose(file);
    close_fixture(&f);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("generate");
    add_test(suite, "full cache", a_full_cache_ends_it_after_one_more_token);
    add_test(suite, "none", no_new_tokens_are_none);
    add_test(suite, "end ids", any_of_the_end_ids_ends_it);
    add_test(suite, "caller", the_caller_ends_it);
    add_test(suite, "second call", a_second_call_goes_on);
    add_test(suite, "bad prompts", an_empty_prompt_or_an_id_outside_is_refused_before_anything_happens);
    add_test(suite, "penalty", the_penalty_knows_prompt_and_output);
    add_test(suite, "story logits", the_story_models_logits_are_those_of_transformers);
    add_test(suite, "story text", the_story_models_greedy_text_is_that_of_transformers);
    return suite;
}
