/* Every request to the system fails in turn, from the first to the last: the work must end with an error that says so,
 * hold nothing any more, and be done the same when nothing fails. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chapters/06-qwen2.5/chapter6.h"
#include "common/chat.h"
#include "common/matmul.h"
#include "common/safetensors.h"
#include "tests/faults/fail.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

static const char tiny[] = "chapters/06-qwen2.5/tiny-stories";
static const char odd[] = "tests/goldens/ch6_qwen2_odd";
static const char sharded[] = "tests/goldens/ch6_qwen2_sharded";

/* Does the work, gives everything back, and says how it went. */
typedef enum status (*work_function)(const void *context, struct error *error);

/* Fails request number first, the next, …, until the work makes no more. Returns how many it makes. */
static long fail_from(long first, const char *name, work_function work, const void *context)
{
    struct error error = {STATUS_OK, ""};
    long n = first;
    for (bool failed = true; failed; n++) {
        long held = fail_held();
        error = (struct error){STATUS_OK, ""};
        fail_begin(n);
        enum status status = work(context, &error);
        failed = fail_end();
        ck_assert_msg(fail_held() == held, "%s: request %ld (%s) failed: %ld held that were not before", name,
                      n, fail_what(), fail_held() - held);
        if (failed) {
            ck_assert_msg(status == STATUS_NO_MEMORY || status == STATUS_IO,
                          "%s: request %ld (%s) failed: status %d, message '%s'", name, n, fail_what(),
                          (int)status, error.message);
            ck_assert_msg(error.status == status && error.message[0] != '\0',
                          "%s: request %ld (%s): no message", name, n, fail_what());
        } else {
            ck_assert_msg(status == STATUS_OK, "%s: without a failure: %s", name, error.message);
        }
    }
    return n - 1;
}

static long fail_each(const char *name, work_function work, const void *context)
{
    return fail_from(0, name, work, context);
}

static enum status load_model(const void *context, struct error *error)
{
    struct qwen2 model;
    enum status status = qwen2_load(&model, context, error);
    qwen2_free(&model);
    return status;
}

START_TEST(loading_a_model)
{
    ck_assert_int_gt(fail_each("one file", load_model, odd), 100);
    ck_assert_int_gt(fail_each("shards", load_model, sharded), 100);
}
END_TEST

static enum status load_into_huge_pages(const void *context, struct error *error)
{
    struct qwen2 model;
    enum status status = qwen2_load(&model, context, error);
    if (status == STATUS_OK) {
        status = qwen2_use_huge_pages(&model, error);
    }
    qwen2_free(&model);
    return status;
}

START_TEST(loading_into_huge_pages)
{
    static const char *const folders[] = {odd, sharded, tiny};
    for (int i = 0; i < 3; i++) {
        struct error error = {STATUS_OK, ""};
        if (load_into_huge_pages(folders[i], &error) == STATUS_UNSUPPORTED) {
            return; /* switched off, or not Linux: there is only that answer (test_huge_pages.c) */
        }
        ck_assert_int_gt(fail_each(folders[i], load_into_huge_pages, folders[i]), 100);
    }
}
END_TEST

static enum status load_generation(const void *context, struct error *error)
{
    struct generation_config config;
    return generation_config_load(&config, context, error);
}

static enum status load_template(const void *context, struct error *error)
{
    struct chat_template template = {NULL};
    enum status status = chat_template_load(&template, context, error);
    chat_template_free(&template);
    return status;
}

START_TEST(loading_the_small_files)
{
    ck_assert_int_gt(fail_each("generation_config.json", load_generation, odd), 10);
    ck_assert_int_gt(fail_each("chat template", load_template, tiny), 10);
}
END_TEST

static enum status load_tokenizer(const void *context, struct error *error)
{
    struct tokenizer *tokenizer = NULL;
    enum status status = tokenizer_load(&tokenizer, context, error);
    tokenizer_free(tokenizer);
    return status;
}

START_TEST(loading_a_tokenizer)
{
    ck_assert_int_gt(fail_each("tokenizer.json", load_tokenizer, tiny), 50);
}
END_TEST

/* Text that takes every path: control tokens, bytes that are no UTF-8, marks that are put in order, long pre-tokens. */
static enum status encode(const void *context, struct error *error)
{
    static const char text[] =
        "Once upon <|im_end|> e\xcc\xa3\xcc\x81 \xff \xe4\xb8\xad\xe6\x96\x87  "
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    struct token_ids ids = {NULL, 0, 0};
    enum status status = tokenizer_encode(context, text, sizeof text - 1, true, &ids, error);
    token_ids_free(&ids);
    return status;
}

static enum status converse(const void *context, struct error *error)
{
    static const char text[] = "\ntell me <|im_end|> a story";
    struct token_ids ids = {NULL, 0, 0};
    enum status status = chat_append_turn(&ids, context, CHAT_USER, text, sizeof text - 1, true, error);
    if (status == STATUS_OK) {
        status = chat_append_turn(&ids, context, CHAT_SYSTEM, text, sizeof text - 1, false, error);
    }
    if (status == STATUS_OK) {
        status = chat_append_generation_prompt(&ids, context, error);
    }
    token_ids_free(&ids);
    return status;
}

START_TEST(tokenizing)
{
    struct tokenizer *tokenizer = NULL;
    struct error error = {STATUS_OK, ""};
    assert_ok(tokenizer_load(&tokenizer, tiny, &error), &error);
    ck_assert_int_gt(fail_each("encode", encode, tokenizer), 5);
    ck_assert_int_gt(fail_each("chat", converse, tokenizer), 5);
    tokenizer_free(tokenizer);
}
END_TEST

static bool take_all(void *context, int32_t id, int position, const float *logits)
{
    (void)context, (void)id, (void)position, (void)logits;
    return true;
}

static enum status run_model(const void *context, struct error *error)
{
    const struct qwen2 *model = context;
    const struct sampler_settings settings = {
        .temperature = 1, .top_p = 0.9, .top_k = 5, .repetition_penalty = 1.1};
    const struct generation_config config = {.temperature = 1};
    const int32_t prompt[] = {1, 2, 3, 4, 5};
    struct qwen2_run run = {0};
    struct kv_cache cache = {0};
    struct sampler sampler = {.seen = NULL};
    struct generate_result result;
    enum status status = qwen2_run_init(&run, model, 4, error);
    if (status == STATUS_OK) {
        status = qwen2_cache_init(&cache, model, 16, error);
    }
    if (status == STATUS_OK) {
        status = sampler_init(&sampler, &settings, model->config.vocab_size, 1, error);
    }
    if (status == STATUS_OK) {
        status = generate(model, &run, &cache, &config, &sampler, prompt, 5, 3, take_all, NULL, NULL, &result,
                          error);
    }
    sampler_free(&sampler);
    kv_cache_free(&cache);
    qwen2_run_free(&run);
    return status;
}

START_TEST(a_forward_pass_and_generation)
{
    struct qwen2 model;
    struct error error = {STATUS_OK, ""};
    assert_ok(matmul_choose_kernel(NULL, &error), &error);
    assert_ok(qwen2_load(&model, odd, &error), &error);
    ck_assert_int_gt(fail_each("generate", run_model, &model), 5);
    qwen2_free(&model);
}
END_TEST

/* The program's own part. Opening fails in the tests above, so only what comes after it does here. */
struct session_work {
    bool chat;
    long n_opening; /* requests, set by the work */
};

static enum status run_session(const void *context, struct error *error)
{
    struct session_work *what = (struct session_work *)context;
    struct settings settings = {.model = tiny,
                                .max_new_tokens = 2,
                                .threads = 1,
                                .max_new_tokens_given = true,
                                .seed = 1,
                                .temperature = 1,
                                .top_p = 1,
                                .repetition_penalty = 1,
                                .context = 64,
                                .text = !what->chat,
                                .chat = what->chat};
    FILE *in = tmpfile();
    FILE *out = tmpfile();
    fputs("Hi!\nAnd then?\n", in);
    rewind(in);
    enum status status = session_open(&settings, error);
    what->n_opening = fail_made();
    if (status == STATUS_OK) {
        status =
            settings.chat ? chat_run(&settings, in, out, out, error) : print_text(&settings, out, out, error);
    }
    session_close(&settings.session);
    fclose(in);
    fclose(out);
    return status;
}

START_TEST(a_whole_session)
{
    for (int chat = 0; chat <= 1; chat++) {
        struct session_work what = {chat == 1, 0};
        struct error error = {STATUS_OK, ""};
        fail_begin(-1);
        assert_ok(run_session(&what, &error), &error);
        (void)fail_end();
        long n_opening = what.n_opening;
        ck_assert_int_gt(n_opening, 100);
        ck_assert_int_gt(fail_from(n_opening, "session", run_session, &what), n_opening + 5);
        fail_begin(n_opening / 2);
        ck_assert_int_ne(run_session(&what, &error), STATUS_OK);
        ck_assert(fail_end());
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("faults");
    add_test(suite, "a model", loading_a_model);
    add_test(suite, "huge pages", loading_into_huge_pages);
    add_test(suite, "small files", loading_the_small_files);
    add_test(suite, "a tokenizer", loading_a_tokenizer);
    add_test(suite, "tokenizing", tokenizing);
    add_test(suite, "generation", a_forward_pass_and_generation);
    add_test(suite, "a session", a_whole_session);
    return suite;
}
