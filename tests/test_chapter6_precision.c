/* How far the logits are from float64: by default, and with --precision bf16, for every kernel of this machine. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chapters/06-qwen2.5/exact.h"
#include "chapters/06-qwen2.5/reader.h"
#include "common/bf16.h"
#include "common/matmul.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/support/run_program.h"
#include "tests/support/test.h"

static const char tiny[] = "chapters/06-qwen2.5/tiny-stories";
static const char text[] = "chapters/06-qwen2.5/tiny-stories/held-out.txt";

static double *exact(const struct qwen2 *model, const int32_t *ids, size_t n, bool rounded)
{
    struct error error = {STATUS_OK, ""};
    double *logits = test_alloc(n * (size_t)model->config.vocab_size * sizeof *logits);
    assert_ok(exact_logits(logits, model, ids, (int)n, rounded, &error), &error);
    return logits;
}

/* transformers computed these in float32, which by itself is up to 1.4e-5 off. */
START_TEST(the_float64_model_is_that_of_transformers)
{
    static const char *const models[][3] = {
        {"chapters/06-qwen2.5/tiny-stories", "tiny-stories", "prompt."},
        {"tests/goldens/ch6_qwen2_f32", "ch6_qwen2_f32_out", ""},
        {"tests/goldens/ch6_qwen2_odd", "ch6_qwen2_odd_out", ""},
        {"tests/goldens/ch6_qwen2_untied", "ch6_qwen2_untied_out", ""},
        {"tests/goldens/ch6_qwen2_head_dim", "ch6_qwen2_head_dim_out", ""}};
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        struct qwen2 model;
        struct golden golden;
        struct error error = {STATUS_OK, ""};
        char name[32];
        size_t n = 0;
        size_t n_logits = 0;
        golden_open(&golden, models[i][1]);
        assert_ok(qwen2_load(&model, models[i][0], &error), &error);
        snprintf(name, sizeof name, "%sids", models[i][2]);
        int32_t *ids = golden_i32(&golden, name, &n);
        snprintf(name, sizeof name, "%slogits", models[i][2]);
        double *expected = golden_f64(&golden, name, &n_logits);
        double *got = exact(&model, ids, n, false);
        ck_assert_uint_eq(n_logits, n * (size_t)model.config.vocab_size);
        assert_near64(got, expected, n_logits, 2e-5, 0);
        free(got);
        free(expected);
        free(ids);
        qwen2_free(&model);
        golden_close(&golden);
    }
}
END_TEST

/* ---- bf16 means the same with every kernel ---- */

struct checker {
    const struct qwen2 *model;
    float *input; /* [n_rows, width]: what the next products multiply, rounded to bfloat16 */
    size_t width;
    int n_checked;
};

/* Of one output: the sum that its product should be. float32 adds up with 8 units in the last place of the sum of
 * magnitudes at most (test_matmul.c). */
static void check_product(const struct checker *checker, const char *operation, const float *got, int row,
                          int o, const struct tensor *w, const struct tensor *bias)
{
    double sum = bias != NULL && tensor_present(bias) ? (double)tensor_at(bias, 0, o) : 0;
    double magnitudes = fabs(sum);
    for (int i = 0; i < w->cols; i++) {
        double term =
            (double)checker->input[(size_t)row * checker->width + (size_t)i] * (double)tensor_at(w, o, i);
        sum += term;
        magnitudes += fabs(term);
    }
    ck_assert_msg(fabs((double)*got - sum) <= 8 * 0x1p-24 * magnitudes,
                  "%s: %s[%d, %d]: got %.9g, expected %.9g", matmul_kernel_name(), operation, row, o,
                  (double)*got, sum);
}

static void check_operation(void *context, const char *operation, int layer, float *values, int n_rows,
                            int n_cols, size_t stride)
{
    static const char *const inputs[] = {"input_layernorm", "attention", "post_attention_layernorm",
                                         "mlp.act", "norm"};
    struct checker *checker = context;
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        if (strcmp(operation, inputs[i]) == 0) {
            checker->width = (size_t)n_cols;
            for (size_t k = 0; k < (size_t)n_rows * (size_t)n_cols; k++) {
                checker->input[k] = bf16_round(values[k / (size_t)n_cols * stride + k % (size_t)n_cols]);
            }
            return;
        }
    }
    if (layer < 0 || layer >= checker->model->config.n_layers) {
        return;
    }
    const struct decoder_block_weights *w = &checker->model->layers[layer];
    const struct {
        const char *operation;
        const struct tensor *w, *bias;
    } products[] = {{"q_proj", &w->w_q, &w->b_q},
                    {"k_proj", &w->w_k, &w->b_k},
                    {"v_proj", &w->w_v, &w->b_v},
                    {"o_proj", &w->w_o, NULL},
                    {"mlp.gate_proj", &w->ffn.w_gate, NULL},
                    {"mlp.up_proj", &w->ffn.w_up, NULL},
                    {"mlp.down_proj", &w->ffn.w_down, NULL}};
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++) {
        for (int row = 0; strcmp(operation, products[i].operation) == 0 && row < n_rows; row++) {
            for (int o = row % 7; o < n_cols; o += 7) { /* some of them: the sum is done in a plain loop */
                check_product(checker, operation, values + (size_t)row * stride + (size_t)o, row, o,
                              products[i].w, products[i].bias);
                checker->n_checked++;
            }
        }
    }
}

/* Every product of the pass, the head included, is that of activations rounded to bfloat16: many tokens and few. */
static void check_pass(const struct qwen2 *model, const int32_t *ids, int n)
{
    struct error error = {STATUS_OK, ""};
    struct checker checker = {.model = model};
    size_t width =
        (size_t)(model->config.d_ff > model->config.d_model ? model->config.d_ff : model->config.d_model);
    checker.input = test_alloc((size_t)n * width * sizeof *checker.input);
    struct hook hook = {.call = check_operation, .context = &checker};
    struct reader reader;
    assert_ok(reader_init(&reader, model, n, n, &error), &error);
    reader.hook = &hook;
    assert_ok(reader_read(&reader, ids, n, NULL, NULL, &error), &error);
    for (int o = 0; o < model->config.vocab_size; o++) {
        int row = o % n;
        check_product(&checker, "logits",
                      &reader.logits[(size_t)row * (size_t)model->config.vocab_size + (size_t)o], row, o,
                      &model->head, NULL);
    }
    ck_assert_int_gt(checker.n_checked, 200);
    reader_free(&reader);
    free(checker.input);
}

START_TEST(bf16_means_the_same_with_every_kernel)
{
    static const char *const folders[] = {tiny, "tests/goldens/ch6_qwen2_f32"};
    struct error error = {STATUS_OK, ""};
    int32_t ids[40];
    for (int i = 0; i < 40; i++) {
        ids[i] = 3 + i;
    }
    matmul_set_precision(MATMUL_ONE_TERM);
    for (int f = 0; f < 2; f++) { /* bfloat16 weights; float32 weights */
        struct qwen2 model;
        assert_ok(qwen2_load(&model, folders[f], &error), &error);
        for (int k = 0; matmul_usable_kernel(k) != NULL; k++) {
            assert_ok(matmul_choose_kernel(matmul_usable_kernel(k), &error), &error);
            check_pass(&model, ids, 1);
            check_pass(&model, ids, 40);
        }
        qwen2_free(&model);
    }
}
END_TEST

/* The float64 model with rounded activations is about as far from the other as the program with rounded activations. */
START_TEST(rounding_costs_what_float64_says)
{
    enum { N = 40 };
    struct qwen2 model;
    struct golden golden;
    struct error error = {STATUS_OK, ""};
    golden_open(&golden, "tiny-stories");
    assert_ok(qwen2_load(&model, tiny, &error), &error);
    int32_t *ids = golden_i32(&golden, "passage.ids", NULL);
    double *whole = exact(&model, ids, N, false);
    double *rounded = exact(&model, ids, N, true);
    double apart = 0;
    for (size_t i = 0; i < N * (size_t)model.config.vocab_size; i++) {
        apart = fmax(apart, fabs(whole[i] - rounded[i]));
    }
    ck_assert_msg(apart >= 0.01 && apart <= 0.1, "%g", apart);
    free(whole);
    free(rounded);
    free(ids);
    qwen2_free(&model);
    golden_close(&golden);
}
END_TEST

/* One line a kernel. float32: 64 tokens times 2048 logits of up to 18.5 within 1e-4; as two bfloat16 terms 2^7 times less
 * exact at each activation, within 5e-4; rounded to one, between 1e-3 and 0.2. */
START_TEST(every_kernel_is_stated)
{
    struct run run;
    unsetenv("KERNEL");
    run_program(&run, NULL, "chapter6", "--float64", text, NULL);
    ck_assert_int_eq(run.exit_code, 0);
    assert_contains(run.out, "Logits of 64 tokens, 2048 each, against the same weights in float64.\n");
    for (int k = 0; matmul_usable_kernel(k) != NULL; k++) {
        const char *name = matmul_usable_kernel(k);
        bool two_terms =
            strcmp(name, "avx512bf16") == 0 || strcmp(name, "amx") == 0 || strcmp(name, "neonbf16") == 0;
        char line[32];
        double full = NAN;
        double low = NAN;
        snprintf(line, sizeof line, "\n  %-12s ", name);
        assert_contains(run.out, line);
        ck_assert_int_eq(sscanf(strstr(run.out, line) + strlen(line), "%lf %lf", &full, &low), 2);
        ck_assert_msg(full > 0 && full <= (two_terms ? 5e-4 : 1e-4), "%s: %g", name, full);
        ck_assert_msg(low >= 1e-3 && low <= 0.2, "%s: %g", name, low);
    }
    run_free(&run);
}
END_TEST

START_TEST(flags_that_do_not_go_together)
{
    assert_refuses("chapter6", 2, "--precision: not with --float64, which measures both", "--precision",
                   "bf16", "--float64", text);
    assert_refuses("chapter6", 2, "--precision half: expected full|bf16", "--precision", "half");
    assert_refuses("chapter6", 2, "--float64 and --ablate: one at a time", "--float64", text, "--ablate");
    assert_refuses("chapter6", 2, "--prompt: not with --float64, which has a text of its own", "--float64",
                   text, "--prompt", "x");
}
END_TEST

/* The default is --precision full, and bf16 changes the logits. */
START_TEST(the_flag_reaches_the_products)
{
    struct run runs[3];
    run_program(&runs[0], NULL, "chapter6", "--data", "logits", "--ids", "1,2,3", NULL);
    run_program(&runs[1], NULL, "chapter6", "--data", "logits", "--ids", "1,2,3", "--precision", "full",
                NULL);
    run_program(&runs[2], NULL, "chapter6", "--data", "logits", "--ids", "1,2,3", "--precision", "bf16",
                NULL);
    ck_assert_str_eq(runs[0].out, runs[1].out);
    ck_assert_str_ne(runs[0].out, runs[2].out);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(runs[i].exit_code, 0);
        run_free(&runs[i]);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("chapter6_precision");
    add_test(suite, "float64", the_float64_model_is_that_of_transformers);
    add_test(suite, "bf16 with every kernel", bf16_means_the_same_with_every_kernel);
    add_test(suite, "bf16 in float64", rounding_costs_what_float64_says);
    add_test(suite, "--float64", every_kernel_is_stated);
    add_test(suite, "flags", flags_that_do_not_go_together);
    add_test(suite, "--precision", the_flag_reaches_the_products);
    return suite;
}
