#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ffn.h"
#include "common/matmul.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

enum { D = 24, H = 40, N = 6 };

static const struct tensor none = {NULL, DTYPE_F32, 0, 0};

/* Runs the layer without dropout and hook; the caller frees. */
static float *run(const struct ffn *ffn, const float *x, int n_tokens)
{
    float *scratch = test_alloc(ffn_scratch_size(ffn->w_up.rows, n_tokens) * sizeof *scratch);
    float *out = test_alloc((size_t)n_tokens * (size_t)ffn->w_down.rows * sizeof *out);
    ffn_forward(out, x, ffn, n_tokens, scratch, 0, NULL, NULL, 0);
    free(scratch);
    return out;
}

/* The reference sums in float32, in another order: up to 40 terms below 10, each rounding 6e-8 of the sum so far. */
static void compare(const struct golden *golden, const char *tensor, const struct ffn *ffn, const float *x)
{
    double *expected = golden_f64(golden, tensor, NULL);
    float *out = run(ffn, x, N);
    assert_near(out, expected, N * D, 4e-6, 1e-6);
    free(out);
    free(expected);
}

START_TEST(a_layer_without_a_gate_is_the_reference)
{
    struct golden golden;
    golden_open(&golden, "ch4_ffn");
    float *x = golden_f32(&golden, "ffn.x", NULL);
    float *w1 = golden_f32(&golden, "ffn.w1", NULL);
    float *b1 = golden_f32(&golden, "ffn.b1", NULL);
    float *w2 = golden_f32(&golden, "ffn.w2", NULL);
    float *b2 = golden_f32(&golden, "ffn.b2", NULL);
    struct ffn ffn = {.activation = ACTIVATION_RELU,
                      .w_up = tensor_f32(w1, H, D),
                      .b_up = tensor_f32(b1, 1, H),
                      .w_down = tensor_f32(w2, D, H),
                      .b_down = tensor_f32(b2, 1, D)};
    compare(&golden, "ffn.relu.out", &ffn, x);
    ffn.activation = ACTIVATION_GELU;
    compare(&golden, "ffn.gelu.out", &ffn, x);
    free(x);
    free(w1);
    free(b1);
    free(w2);
    free(b2);
    golden_close(&golden);
}
END_TEST

/* The gated layer of the golden file; *fused owns the memory: gate rows, up rows, then down. */
static struct ffn golden_gated(const struct golden *golden, enum activation activation, float **fused)
{
    static const char *const names[3] = {"glu.w_gate", "glu.w_up", "glu.w_down"};
    *fused = test_alloc(3 * H * D * sizeof **fused);
    for (int i = 0; i < 3; i++) {
        float *w = golden_f32(golden, names[i], NULL);
        memcpy(*fused + i * H * D, w, H * D * sizeof *w);
        free(w);
    }
    return (struct ffn){.activation = activation,
                        .w_gate = tensor_f32(*fused, H, D),
                        .w_up = tensor_f32(*fused + H * D, H, D),
                        .w_down = tensor_f32(*fused + 2 * H * D, D, H)};
}

START_TEST(a_gated_layer_is_the_reference)
{
    struct golden golden;
    golden_open(&golden, "ch4_ffn");
    float *x = golden_f32(&golden, "ffn.x", NULL);
    float *weights = NULL;
    struct ffn ffn = golden_gated(&golden, ACTIVATION_SIGMOID, &weights);
    compare(&golden, "glu.out", &ffn, x);
    ffn.activation = ACTIVATION_SILU;
    compare(&golden, "swiglu.out", &ffn, x);
    free(weights);
    free(x);
    golden_close(&golden);
}
END_TEST

START_TEST(one_fused_matrix_equals_two)
{
    struct golden golden;
    golden_open(&golden, "ch4_ffn");
    float *x = golden_f32(&golden, "ffn.x", NULL);
    float *weights = NULL;
    struct ffn ffn = golden_gated(&golden, ACTIVATION_SILU, &weights);
    float *two = run(&ffn, x, N);
    struct tensor w1 = tensor_f32(weights, 2 * H, D);
    ffn.w_gate = tensor_rows(&w1, 0, H);
    ffn.w_up = tensor_rows(&w1, H, H);
    float *one = run(&ffn, x, N);
    ck_assert_mem_eq(one, two, N * D * sizeof *one);
    free(one);
    free(two);
    free(weights);
    free(x);
    golden_close(&golden);
}
END_TEST

START_TEST(the_output_may_replace_the_input_and_threads_change_nothing)
{
    struct golden golden;
    golden_open(&golden, "ch4_ffn");
    float *x = golden_f32(&golden, "ffn.x", NULL);
    float *weights = NULL;
    struct ffn ffn = golden_gated(&golden, ACTIVATION_SILU, &weights);
    float *scratch = test_alloc(ffn_scratch_size(ffn.w_up.rows, N) * sizeof *scratch);
    matmul_set_threads(1);
    float *apart = run(&ffn, x, N);
    matmul_set_threads(2);
    ffn_forward(x, x, &ffn, N, scratch, 0, NULL, NULL, 0);
    ck_assert_mem_eq(x, apart, N * D * sizeof *x);
    free(apart);
    free(scratch);
    free(weights);
    free(x);
    golden_close(&golden);
}
END_TEST

/* Weights that only copy: x is [gate | up], the output's first half the hidden layer. */
static struct ffn copying_layer(float *weights, int width, enum activation activation)
{
    size_t n = (size_t)width * (size_t)(2 * width);
    float *w_gate = weights;
    float *w_up = weights + n;
    float *w_down = weights + 2 * n;
    memset(weights, 0, 3 * n * sizeof *weights);
    for (int i = 0; i < width; i++) {
        w_gate[i * 2 * width + i] = 1;
        w_up[i * 2 * width + width + i] = 1;
        w_down[i * width + i] = 1;
    }
    return (struct ffn){.activation = activation,
                        .w_gate = tensor_f32(w_gate, width, 2 * width),
                        .w_up = tensor_f32(w_up, width, 2 * width),
                        .w_down = tensor_f32(w_down, 2 * width, width)};
}

/* Case 58: the activation belongs to the gate alone. Exchanged, the first value would be -1.7615941560; SiLU without
 * the product would give -0.2689. Computed in float64. */
START_TEST(the_activation_is_the_gates)
{
    float weights[3 * 3 * 6];
    const struct ffn ffn = copying_layer(weights, 3, ACTIVATION_SILU);
    const float x[12] = {-1, 0, 2, 2, 5, -3, 2, 2, 2, -1, 2, 0};
    const double expected[12] = {-0.5378828427399903,
                                 0,
                                 -5.284782467867295,
                                 0,
                                 0,
                                 0,
                                 -1.7615941559557649,
                                 3.5231883119115297,
                                 0,
                                 0,
                                 0,
                                 0};
    float *out = run(&ffn, x, 2);
    assert_near(out, expected, 12, 0, 2e-7);
    free(out);
}
END_TEST

struct trace {
    char names[128];
    int n_rows, n_cols[4], n_calls;
    const char *silence; /* the operation that this hook sets to 0 */
};

static void trace_call(void *context, const char *operation, int layer, float *values, int n_rows, int n_cols,
                       size_t stride)
{
    struct trace *trace = context;
    ck_assert_int_eq(layer, 5);
    ck_assert_uint_eq(stride, (size_t)n_cols);
    ck_assert_int_lt(trace->n_calls, 4);
    size_t length = strlen(trace->names);
    snprintf(trace->names + length, sizeof trace->names - length, "%s ", operation);
    trace->n_rows = n_rows;
    trace->n_cols[trace->n_calls++] = n_cols;
    if (trace->silence != NULL && strcmp(operation, trace->silence) == 0) {
        memset(values, 0, (size_t)n_rows * stride * sizeof *values);
    }
}

static void run_with_hook(float *out, const struct ffn *ffn, const float *x, struct trace *trace)
{
    float scratch[2 * 3 * 2];
    const struct hook hook = {.call = trace_call, .context = trace};
    ck_assert_uint_eq(ffn_scratch_size(ffn->w_up.rows, 2), 12);
    ffn_forward(out, x, ffn, 2, scratch, 0, NULL, &hook, 5);
}

START_TEST(a_hook_sees_the_operations_in_order)
{
    float weights[3 * 3 * 6];
    float out[12];
    struct ffn ffn = copying_layer(weights, 3, ACTIVATION_SILU);
    const float x[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    struct trace trace = {.names = ""};
    run_with_hook(out, &ffn, x, &trace);
    ck_assert_str_eq(trace.names, "mlp.gate_proj mlp.up_proj mlp.act mlp.down_proj ");
    ck_assert_int_eq(trace.n_rows, 2);
    ck_assert_int_eq(trace.n_cols[0], 3);
    ck_assert_int_eq(trace.n_cols[2], 3);
    ck_assert_int_eq(trace.n_cols[3], 6);
    ck_assert(out[0] > 0.7F);

    trace = (struct trace){.names = "", .silence = "mlp.up_proj"};
    run_with_hook(out, &ffn, x, &trace);
    ck_assert(out[0] == 0);

    ffn.w_gate = none;
    trace = (struct trace){.names = ""};
    run_with_hook(out, &ffn, x, &trace);
    ck_assert_str_eq(trace.names, "mlp.up_proj mlp.act mlp.down_proj ");
}
END_TEST

enum { WIDE = 64, ROWS = 200 };

/* Dropout works on the hidden layer: each channel is 0 or scaled by 1 / (1 - rate), and the mean stays. */
START_TEST(dropout_acts_on_the_hidden_layer_while_training)
{
    static float weights[3 * WIDE * 2 * WIDE];
    static float x[ROWS * 2 * WIDE];
    static float scratch[2 * ROWS * WIDE];
    static float out[ROWS * 2 * WIDE];
    const struct ffn ffn = copying_layer(weights, WIDE, ACTIVATION_IDENTITY);
    struct rng rng;
    rng_init(&rng, 9);
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        x[i] = 1; /* hidden: 1 * 1 */
    }
    ffn_forward(out, x, &ffn, ROWS, scratch, 0.25, &rng, NULL, 0);
    int dropped = 0;
    for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < WIDE; i++) {
            float value = out[row * 2 * WIDE + i];
            ck_assert_msg(value == 0 || value == (float)(1 / 0.75), "%.9g", (double)value);
            dropped += value == 0;
        }
    }
    /* 12800 draws: a standard deviation of 49, so four are 196. */
    ck_assert_int_ge(dropped, 3200 - 196);
    ck_assert_int_le(dropped, 3200 + 196);

    ffn_forward(out, x, &ffn, ROWS, scratch, 0.25, NULL, NULL, 0);
    for (int i = 0; i < WIDE; i++) {
        ck_assert(out[i] == 1);
    }
}
END_TEST

START_TEST(no_tokens_no_work)
{
    float weights[3 * 3 * 6];
    const struct ffn ffn = copying_layer(weights, 3, ACTIVATION_SILU);
    float nothing[1] = {7};
    ffn_forward(nothing, nothing, &ffn, 0, nothing, 0, NULL, NULL, 0);
    ck_assert(nothing[0] == 7);
    ck_assert_uint_eq(ffn_scratch_size(ffn.w_up.rows, 0), 0);
}
END_TEST

START_TEST(the_gated_width_keeps_the_parameters)
{
    ck_assert_int_eq(ffn_gated_width(4 * 4096, 256), 11008); /* LLaMA 7B */
    ck_assert_int_eq(ffn_gated_width(3072, 1), 2048);        /* Shazeer 2020 */
    ck_assert_int_eq(ffn_gated_width(24, 1), 16);
    ck_assert_int_eq(ffn_gated_width(25, 1), 17);
    ck_assert_int_eq(ffn_gated_width(4 * 896, 128), 2432);
    ck_assert_int_eq(ffn_gated_width(1, 1), 1);
    ck_assert_int_eq(ffn_gated_width(0, 64), 0);
    ck_assert_int_eq(ffn_gated_width(2000000000, 1), 1333333334);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("ffn");
    add_test(suite, "a layer without a gate is the reference", a_layer_without_a_gate_is_the_reference);
    add_test(suite, "a gated layer is the reference", a_gated_layer_is_the_reference);
    add_test(suite, "one fused matrix equals two", one_fused_matrix_equals_two);
    add_test(suite, "in place, any threads", the_output_may_replace_the_input_and_threads_change_nothing);
    add_test(suite, "the activation is the gate's", the_activation_is_the_gates);
    add_test(suite, "a hook sees the operations", a_hook_sees_the_operations_in_order);
    add_test(suite, "dropout acts on the hidden layer", dropout_acts_on_the_hidden_layer_while_training);
    add_test(suite, "no tokens, no work", no_tokens_no_work);
    add_test(suite, "the gated width", the_gated_width_keeps_the_parameters);
    return suite;
}
