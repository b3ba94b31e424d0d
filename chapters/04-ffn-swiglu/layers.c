/* Steps 2 to 5: the layer of common/ffn.h, seen from inside. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chapter4.h"
#include "common/ffn.h"
#include "common/rng.h"

/* ---- A layer whose matrices only copy: x = [gate | up] goes to the two branches as it stands ------------------------ */

enum { CHANNELS = 3, INPUTS = 2 * CHANNELS };

static const float w_first[CHANNELS * INPUTS] = {1, 0, 0, 0, 0, 0, /* the first half of x */
                                                 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
static const float w_second[CHANNELS * INPUTS] = {0, 0, 0, 1, 0, 0, /* the second half */
                                                  0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
static const float w_back[INPUTS * CHANNELS] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};

/* hidden [CHANNELS]: what stands between the matrices of the layer. w_gate NULL: no gate. */
static void hidden_of(float *hidden, const float *x, enum activation activation, const float *w_gate,
                      const float *w_up)
{
    float scratch[2 * CHANNELS];
    float y[INPUTS];
    const struct tensor absent = {.data = NULL};
    const struct ffn ffn = {.activation = activation,
                            .w_gate = w_gate != NULL ? tensor_f32(w_gate, CHANNELS, INPUTS) : absent,
                            .w_up = tensor_f32(w_up, CHANNELS, INPUTS),
                            .w_down = tensor_f32(w_back, INPUTS, CHANNELS)};
    ffn_forward(y, x, &ffn, 1, scratch, 0, NULL, NULL, 0);
    memcpy(hidden, y, CHANNELS * sizeof *hidden);
}

static void print_hidden(FILE *out, const char *name, const float *hidden, const char *remark)
{
    fprintf(out, "   %-24s", name);
    for (int i = 0; i < CHANNELS; i++) {
        fprintf(out, " %8.4f", (double)hidden[i] + 0.0);
    }
    fprintf(out, "%s%s\n", remark[0] != '\0' ? "   " : "", remark);
}

enum status step_layers(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    (void)error;
    int gated = ffn_gated_width(s->d_ff, 1);
    const float x[INPUTS] = {-1, 0, 2, 2, 5, -3};
    float hidden[CHANNELS];
    fprintf(out,
            "   FFN      W_down act(W_up x)                      W_up [%d, %d], W_down [%d, %d]\n"
            "   GLU      W_down (sigmoid(W_gate x) * W_up x)     W_gate, W_up [%d, %d],\n"
            "   SwiGLU   W_down (SiLU(W_gate x) * W_up x)        W_down [%d, %d]\n\n"
            "   The product is channel by channel. Before W_down stands, for\n"
            "   W_gate x = (-1, 0, 2) and W_up x = (2, 5, -3):\n\n",
            s->d_ff, s->d_model, s->d_model, s->d_ff, gated, s->d_model, s->d_model, gated);
    hidden_of(hidden, x, ACTIVATION_RELU, NULL, w_second);
    print_hidden(out, "FFN, ReLU: max(0, up)", hidden, "");
    hidden_of(hidden, x, ACTIVATION_SIGMOID, w_first, w_second);
    print_hidden(out, "GLU: sigmoid(gate) up", hidden, "");
    hidden_of(hidden, x, ACTIVATION_SILU, w_first, w_second);
    print_hidden(out, "SwiGLU: SiLU(gate) up", hidden, "");
    hidden_of(hidden, x, ACTIVATION_SILU, w_second, w_first);
    print_hidden(out, "the two exchanged", hidden, "<- runs, and is wrong");
    return STATUS_OK;
}

enum status step_gate(void *settings, FILE *out, struct error *error)
{
    (void)settings;
    (void)error;
    const float tokens[3][INPUTS] = {{-8, 0, 8, 2, 2, 2}, {8, -8, -1.278465F, 2, 2, 2}, {1, 3, -1, 2, 2, 2}};
    fprintf(out, "   Three tokens with the same W_up x = (2, 2, 2); only their gates differ:\n\n"
                 "   W_gate x                   sigmoid(gate) up          SiLU(gate) up\n");
    for (int token = 0; token < 3; token++) {
        float glu[CHANNELS];
        float swiglu[CHANNELS];
        const float *x = tokens[token];
        hidden_of(glu, x, ACTIVATION_SIGMOID, w_first, w_second);
        hidden_of(swiglu, x, ACTIVATION_SILU, w_first, w_second);
        fprintf(out, "   %7.3f %7.3f %7.3f  %7.4f %7.4f %7.4f  %8.4f %8.4f %8.4f\n", (double)x[0],
                (double)x[1], (double)x[2], (double)glu[0], (double)glu[1], (double)glu[2],
                (double)swiglu[0] + 0.0, (double)swiglu[1] + 0.0, (double)swiglu[2] + 0.0);
    }
    fprintf(out, "\n   A gate of -8 closes its channel, 8 opens it, each channel by itself and again\n"
                 "   for every token. GLU passes a share between 0 and 1. SwiGLU's open gate\n"
                 "   multiplies, and between closed and open it even turns the sign.\n");
    return STATUS_OK;
}

/* ---- A layer of random weights, of the width that the flags give ---------------------------------------------------- */

enum { N_TOKENS = 200 };

struct random_layer {
    float *memory;
    float *w1, *w_down; /* w1 [2 d_ff, d_model]: gate rows, then up rows */
    float *x, *y, *other, *scratch;
    size_t n_out, n_hidden;
    struct ffn ffn; /* SwiGLU; gate and up are rows of w1 */
};

static enum status random_layer_init(struct random_layer *layer, const struct settings *settings,
                                     struct error *error)
{
    int d_model = settings->d_model;
    int d_ff = ffn_gated_width(settings->d_ff, 1);
    size_t n_matrix = (size_t)d_model * (size_t)d_ff;
    layer->n_out = (size_t)N_TOKENS * (size_t)d_model;
    layer->n_hidden = (size_t)N_TOKENS * (size_t)d_ff;
    size_t total = 3 * n_matrix + 3 * layer->n_out + ffn_scratch_size(d_ff, N_TOKENS);
    layer->memory = malloc(checked_product(total, sizeof(float)));
    if (layer->memory == NULL) {
        error_no_memory(error, "layer", checked_product(total, sizeof(float)));
        return STATUS_NO_MEMORY;
    }
    layer->w1 = layer->memory;
    layer->w_down = layer->w1 + 2 * n_matrix;
    layer->x = layer->w_down + n_matrix;
    layer->y = layer->x + layer->n_out;
    layer->other = layer->y + layer->n_out;
    layer->scratch = layer->other + layer->n_out;
    struct rng rng;
    rng_init(&rng, 4);
    rng_fill_normal(&rng, layer->w1, 2 * n_matrix, 1 / sqrt(d_model));
    rng_fill_normal(&rng, layer->w_down, n_matrix, 1 / sqrt(d_ff));
    rng_fill_normal(&rng, layer->x, layer->n_out, 1);
    struct tensor fused = tensor_f32(layer->w1, 2 * d_ff, d_model);
    layer->ffn = (struct ffn){.activation = ACTIVATION_SILU,
                              .w_gate = tensor_rows(&fused, 0, d_ff),
                              .w_up = tensor_rows(&fused, d_ff, d_ff),
                              .w_down = tensor_f32(layer->w_down, d_model, d_ff)};
    return STATUS_OK;
}

static double largest_distance(const float *a, const float *b, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs((double)a[i] - (double)b[i]));
    }
    return largest;
}

enum status step_fused(void *settings, FILE *out, struct error *error)
{
    struct random_layer layer;
    enum status status = random_layer_init(&layer, settings, error);
    if (status != STATUS_OK) {
        return status;
    }
    int d_ff = layer.ffn.w_up.rows;
    int d_model = layer.ffn.w_up.cols;
    struct ffn two = layer.ffn; /* the same rows as two matrices of their own */
    two.w_gate = tensor_f32(layer.w1, d_ff, d_model);
    two.w_up = tensor_f32(layer.w1 + (size_t)d_ff * (size_t)d_model, d_ff, d_model);
    struct ffn exchanged = layer.ffn;
    exchanged.w_gate = layer.ffn.w_up;
    exchanged.w_up = layer.ffn.w_gate;
    ffn_forward(layer.y, layer.x, &layer.ffn, N_TOKENS, layer.scratch, 0, NULL, NULL, 0);
    ffn_forward(layer.other, layer.x, &two, N_TOKENS, layer.scratch, 0, NULL, NULL, 0);
    double same = largest_distance(layer.y, layer.other, layer.n_out);
    ffn_forward(layer.other, layer.x, &exchanged, N_TOKENS, layer.scratch, 0, NULL, NULL, 0);
    double wrong = largest_distance(layer.y, layer.other, layer.n_out);
    fprintf(out,
            "   Gate and up read the same x, so they may be stored as one matrix W1 [%d, %d]:\n"
            "   %d gate rows, then %d up rows. Largest difference over %d tokens:\n\n"
            "   one matrix against two       %.3g\n"
            "   up rows taken for the gate   %.3g\n",
            2 * d_ff, d_model, d_ff, d_ff, N_TOKENS, same, wrong);
    free(layer.memory);
    return STATUS_OK;
}

/* ffn_forward leaves the hidden layer at the start of its scratch. */
struct hidden_sum {
    double sum;
    int n_zero;
};

static void add_hidden(const float *hidden, size_t n, struct hidden_sum *total)
{
    for (size_t i = 0; i < n; i++) {
        total->sum += (double)hidden[i];
        total->n_zero += hidden[i] == 0;
    }
}

enum status step_dropout(void *settings, FILE *out, struct error *error)
{
    const double rate = 0.1;
    struct random_layer layer;
    enum status status = random_layer_init(&layer, settings, error);
    if (status != STATUS_OK) {
        return status;
    }
    struct rng rng;
    rng_init(&rng, 5);
    struct hidden_sum inference = {0, 0};
    struct hidden_sum training = {0, 0};
    ffn_forward(layer.y, layer.x, &layer.ffn, N_TOKENS, layer.scratch, rate, NULL, NULL, 0);
    add_hidden(layer.scratch, layer.n_hidden, &inference);
    ffn_forward(layer.other, layer.x, &layer.ffn, N_TOKENS, layer.scratch, 0, &rng, NULL, 0);
    double same = largest_distance(layer.y, layer.other, layer.n_out);
    ffn_forward(layer.other, layer.x, &layer.ffn, N_TOKENS, layer.scratch, rate, &rng, NULL, 0);
    add_hidden(layer.scratch, layer.n_hidden, &training);
    double n = (double)layer.n_hidden;
    fprintf(out,
            "   While training, a share of %g of the hidden values is set to 0 and the rest\n"
            "   divided by %g, so that the mean stays (chapter 1's dropout):\n\n"
            "                      share of zeros    mean of the hidden values\n"
            "   inference                  %.4f                    %8.4f\n"
            "   training                   %.4f                    %8.4f\n\n"
            "   Inference with rate %g equals training with rate 0: difference %g.\n",
            rate, 1 - rate, inference.n_zero / n, inference.sum / n, training.n_zero / n, training.sum / n,
            rate, same);
    free(layer.memory);
    return STATUS_OK;
}
