/* make chapter4-yours && ./chapter4-yours: the walk-through's checks with your functions beside the project's. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../../yours.h"
#include "common/activation.h"
#include "common/ffn.h"
#include "common/matmul.h"
#include "common/rng.h"
#include "common/train.h"
#include "exercises.h"

/* The widths that ./chapter4 has without flags. */
enum { TOKENS = 4, D_MODEL = 6, D_FF = 24, GATED = 16, MAX_SCRATCH = TOKENS * (5 * D_FF + D_MODEL) };
enum { MAX_PARAMETERS = 2 * D_MODEL * D_FF + D_FF + D_MODEL };

struct functions {
    void (*sigmoid_and_silu)(double *sigmoid, double *silu, const double *x, int n);
    void (*feed_forward)(double *y, const double *x, const double *w_up, const double *b_up,
                         const double *w_down, const double *b_down, int n_tokens, int d_model, int d_ff,
                         double *hidden);
    void (*gated_layer)(double *y, const double *x, const double *w_gate, const double *w_up,
                        const double *w_down, int d_model, int d_ff);
    void (*split_gate_up)(float *gate, float *up, const float *fused, int n_tokens, int d_ff);
    int (*equal_width)(int d_model, int expansion, int multiple);
    void (*gate_gradient)(double *grad_gate, const double *grad_hidden, const double *gate, const double *up,
                          int n);
    void (*hidden_from_fused)(double *hidden, const double *x, const double *w, int d_model, int d_ff);
};

/* ---- The project's modules, called as the exercises are ------------------------------------------------------------- */

static void project_activations(double *sigmoid, double *silu, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        sigmoid[i] = activation_f64(ACTIVATION_SIGMOID, x[i]);
        silu[i] = activation_f64(ACTIVATION_SILU, x[i]);
    }
}

static void append(double **end, const double *values, int n)
{
    memcpy(*end, values, (size_t)n * sizeof *values);
    *end += n;
}

static void project_feed_forward(double *y, const double *x, const double *w_up, const double *b_up,
                                 const double *w_down, const double *b_down, int n_tokens, int d_model,
                                 int d_ff, double *hidden)
{
    const struct train_layer layer = {ACTIVATION_RELU, false, true, d_model, d_ff, d_model};
    double parameters[MAX_PARAMETERS];
    double scratch[MAX_SCRATCH];
    double *end = parameters;
    append(&end, w_up, d_ff * d_model);
    append(&end, b_up, d_ff);
    append(&end, w_down, d_model * d_ff);
    append(&end, b_down, d_model);
    train_forward(y, &layer, parameters, x, n_tokens, scratch);
    (void)hidden;
}

static void project_gated_layer(double *y, const double *x, const double *w_gate, const double *w_up,
                                const double *w_down, int d_model, int d_ff)
{
    const struct train_layer layer = {ACTIVATION_SILU, true, false, d_model, d_ff, d_model};
    double parameters[MAX_PARAMETERS];
    double scratch[MAX_SCRATCH];
    double *end = parameters;
    append(&end, w_gate, d_ff * d_model);
    append(&end, w_up, d_ff * d_model);
    append(&end, w_down, d_model * d_ff);
    train_forward(y, &layer, parameters, x, 1, scratch);
}

static int project_equal_width(int d_model, int expansion, int multiple)
{
    return ffn_gated_width(expansion * d_model, multiple);
}

static void project_gate_gradient(double *grad_gate, const double *grad_hidden, const double *gate,
                                  const double *up, int n)
{
    for (int i = 0; i < n; i++) {
        grad_gate[i] = grad_hidden[i] * up[i] * activation_derivative(ACTIVATION_SILU, gate[i]);
    }
}

/* ffn_forward leaves the hidden layer at the start of its scratch. */
static void project_hidden_from_fused(double *hidden, const double *x, const double *w, int d_model, int d_ff)
{
    float x32[D_MODEL], w32[2 * GATED * D_MODEL], y[D_MODEL], scratch[2 * GATED];
    const float down[D_MODEL * GATED] = {0};
    for (int i = 0; i < d_model; i++) {
        x32[i] = (float)x[i];
    }
    for (int i = 0; i < 2 * d_ff * d_model; i++) {
        w32[i] = (float)w[i];
    }
    const struct tensor fused = tensor_f32(w32, 2 * d_ff, d_model);
    const struct ffn ffn = {.activation = ACTIVATION_SILU,
                            .w_gate = tensor_rows(&fused, 0, d_ff),
                            .w_up = tensor_rows(&fused, d_ff, d_ff),
                            .w_down = tensor_f32(down, d_model, d_ff)};
    ffn_forward(y, x32, &ffn, 1, scratch, 0, NULL, NULL, 0);
    for (int h = 0; h < d_ff; h++) {
        hidden[h] = (double)scratch[h];
    }
}

/* ---- Step 1: the activations ---------------------------------------------------------------------------------------- */

static double activation_at(const void *functions, double x, bool want_silu)
{
    const struct functions *f = functions;
    double sigmoid[1], silu[1];
    f->sigmoid_and_silu(sigmoid, silu, &x, 1);
    return want_silu ? silu[0] : sigmoid[0];
}

static double sigmoid_left(const void *functions)
{
    return activation_at(functions, -40, false);
}

static double silu_lowest(const void *functions)
{
    return activation_at(functions, -1.278465, true);
}

static double silu_right(const void *functions)
{
    return activation_at(functions, 1000, true);
}

/* ---- Step 2: the layers --------------------------------------------------------------------------------------------- */

static const double copied[] = {-1, 0, 2, 2, 5, -3}; /* W_gate x = (-1, 0, 2), W_up x = (2, 5, -3) */

static double swiglu_channel(const void *functions, int channel)
{
    const struct functions *f = functions;
    double gate[3 * 6] = {0}, up[3 * 6] = {0}, down[6 * 3] = {0}, y[6];
    for (int i = 0; i < 3; i++) {
        gate[i * 6 + i] = 1;
        up[i * 6 + 3 + i] = 1;
        down[i * 3 + i] = 1;
    }
    f->gated_layer(y, copied, gate, up, down, 6, 3);
    return y[channel];
}

static double swiglu_first(const void *functions)
{
    return swiglu_channel(functions, 0);
}

static double swiglu_last(const void *functions)
{
    return swiglu_channel(functions, 2);
}

static void fill(double *values, int n, uint64_t seed)
{
    struct rng rng;
    float value;
    rng_init(&rng, seed);
    for (int i = 0; i < n; i++) {
        rng_fill_normal(&rng, &value, 1, 0.5);
        values[i] = (double)value;
    }
}

/* Root of the sum of the squares: one number for many outputs. */
static double length_of(const double *values, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += values[i] * values[i];
    }
    return sqrt(sum);
}

static double feed_forward_length(const void *functions)
{
    const struct functions *f = functions;
    double x[TOKENS * D_MODEL], up[D_FF * D_MODEL], b_up[D_FF], down[D_MODEL * D_FF], b_down[D_MODEL];
    double y[TOKENS * D_MODEL], hidden[D_FF];
    fill(x, TOKENS * D_MODEL, 1);
    fill(up, D_FF * D_MODEL, 2);
    fill(b_up, D_FF, 3);
    fill(down, D_MODEL * D_FF, 4);
    fill(b_down, D_MODEL, 5);
    f->feed_forward(y, x, up, b_up, down, b_down, TOKENS, D_MODEL, D_FF, hidden);
    return length_of(y, TOKENS * D_MODEL);
}

/* ---- Step 4: one fused matrix --------------------------------------------------------------------------------------- */

static double fused_length(const void *functions)
{
    const struct functions *f = functions;
    double x[D_MODEL], w[2 * GATED * D_MODEL], hidden[GATED];
    fill(x, D_MODEL, 6);
    fill(w, 2 * GATED * D_MODEL, 7);
    f->hidden_from_fused(hidden, x, w, D_MODEL, GATED);
    return length_of(hidden, GATED);
}

/* Yours: the product with all of W1, taken apart. The project's: the products with the two row ranges of W1. */
static double last_of_branch(const void *functions, bool want_up)
{
    const struct functions *f = functions;
    float x[TOKENS * D_MODEL], w[2 * GATED * D_MODEL], fused[TOKENS * 2 * GATED];
    float gate[TOKENS * GATED], up[TOKENS * GATED];
    struct rng rng;
    rng_init(&rng, 8);
    rng_fill_normal(&rng, x, TOKENS * D_MODEL, 1);
    rng_fill_normal(&rng, w, 2 * GATED * D_MODEL, 1);
    const struct tensor w1 = tensor_f32(w, 2 * GATED, D_MODEL);
    if (f->split_gate_up != NULL) {
        matmul(fused, 2 * GATED, x, D_MODEL, &w1, NULL, TOKENS);
        f->split_gate_up(gate, up, fused, TOKENS, GATED);
    } else {
        const struct tensor rows_gate = tensor_rows(&w1, 0, GATED);
        const struct tensor rows_up = tensor_rows(&w1, GATED, GATED);
        matmul(gate, GATED, x, D_MODEL, &rows_gate, NULL, TOKENS);
        matmul(up, GATED, x, D_MODEL, &rows_up, NULL, TOKENS);
    }
    return (double)(want_up ? up : gate)[TOKENS * GATED - 1];
}

static double last_gate(const void *functions)
{
    return last_of_branch(functions, false);
}

static double last_up(const void *functions)
{
    return last_of_branch(functions, true);
}

/* ---- Step 6: the cost ------------------------------------------------------------------------------------------------ */

static double width_here(const void *functions)
{
    return ((const struct functions *)functions)->equal_width(D_MODEL, 4, 1);
}

static double width_llama(const void *functions)
{
    return ((const struct functions *)functions)->equal_width(4096, 4, 256);
}

static double width_qwen(const void *functions)
{
    return ((const struct functions *)functions)->equal_width(896, 4, 128);
}

/* ---- Step 7: the gradient against a slope measured ------------------------------------------------------------------- */

static double gradient_error(const void *functions)
{
    const struct functions *f = functions;
    enum { N = 41 };
    const double h = 1e-5;
    double gate[N], up[N], grad_hidden[N], grad_gate[N], worst = 0;
    for (int i = 0; i < N; i++) {
        gate[i] = (i - 20) / 4.0;
        up[i] = sin(i + 1);
        grad_hidden[i] = cos(2 * i);
    }
    f->gate_gradient(grad_gate, grad_hidden, gate, up, N);
    for (int i = 0; i < N; i++) {
        double rise =
            activation_f64(ACTIVATION_SILU, gate[i] + h) - activation_f64(ACTIVATION_SILU, gate[i] - h);
        double error = fabs(grad_gate[i] - grad_hidden[i] * up[i] * rise / (2 * h));
        if (isnan(error)) {
            return error;
        }
        worst = fmax(worst, error);
    }
    return worst;
}

int main(int argc, char **argv)
{
    /* Where a bound is 1e-4 the project computes in float32. */
    static const struct yours_check checks[] = {
        {NULL, "Functions between two matrices (step 1)", NULL, 0},
        {"4.1", "sigmoid(-40)", sigmoid_left, 1e-22},
        {"4.1", "SiLU(-1.278465), its lowest", silu_lowest, 1e-6},
        {"4.1", "SiLU(1000)", silu_right, 1e-3},
        {NULL, "Three layers (step 2); outputs' length: root of the sum of squares", NULL, 0},
        {"4.2", "FFN, ReLU: length of 4 tokens", feed_forward_length, 1e-4},
        {"4.3", "SwiGLU, gate -1 and up 2", swiglu_first, 1e-5},
        {"4.3", "SwiGLU, gate 2 and up -3", swiglu_last, 1e-5},
        {NULL, "One fused matrix (step 4): W1 [32, 6], gate rows first", NULL, 0},
        {"4.4", "gate, last token, last channel", last_gate, 1e-4},
        {"4.4", "up, last token, last channel", last_up, 1e-4},
        {"4.9", "hidden layer: length", fused_length, 1e-4},
        {NULL, "What a gate costs (step 6): d_ff for equal parameters", NULL, 0},
        {"4.5", "d_model 6", width_here, 0},
        {"4.5", "d_model 4096, multiple of 256", width_llama, 0},
        {"4.5", "d_model 896, multiple of 128", width_qwen, 0},
        {NULL, "The gradients are right (step 7): moved by 1e-5 both ways", NULL, 0},
        {"4.6", "SwiGLU by its gate: largest error", gradient_error, 1e-5},
        {NULL, NULL, NULL, 0},
    };
    const struct functions yours = {sigmoid_and_silu, feed_forward,  gated_layer,      split_gate_up,
                                    equal_width,      gate_gradient, hidden_from_fused};
    const struct functions project = {
        project_activations, project_feed_forward,  project_gated_layer,      NULL,
        project_equal_width, project_gate_gradient, project_hidden_from_fused};
    return yours_run(argc, argv, "Chapter 4 with your functions", checks, &yours, &project);
}
