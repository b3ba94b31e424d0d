/* The data's way through one block: shapes, one query by hand, and what happens when blocks are stacked. */
#include <math.h>
#include <string.h>

#include "chapters/05-decoder-block/steps.h"

/* ---- Shapes --------------------------------------------------------------------------------------------------- */

/* What the hook of step 1 writes to: the walk-through, or a data set. */
struct shape_report {
    FILE *out;
    struct table *table;
    const struct decoder_block_config *config;
};

static const char *note_of(const char *operation)
{
    static const char *const notes[][2] = {
        {"input_layernorm", "RMSNorm"},
        {"q_proj", "heads of W_q h + b_q"},
        {"q_rotated", "RoPE on Q"},
        {"k_rotated", "RoPE on K; V is not rotated"},
        {"attention.weights", "softmax: each row sums to 1"},
        {"attention", "weights times V"},
        {"o_proj", "heads side by side, W_o"},
        {"residual", "x + o_proj"},
        {"post_attention_layernorm", "RMSNorm"},
        {"mlp.act", "SiLU(gate) * up"},
        {"output", "residual + mlp.down_proj"},
    };
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        if (strcmp(notes[i][0], operation) == 0) {
            return notes[i][1];
        }
    }
    return "";
}

static void print_row(FILE *out, const char *operation, const char *shape, const char *rms, const char *note)
{
    fprintf(out, "     %-25s %-12s %5s%s%s\n", operation, shape, rms, note[0] != '\0' ? "  " : "", note);
}

/* The row of every head: [tokens, heads, head_dim], as the projection's width is read from here on. */
static void format_shape(char *shape, size_t size, const struct decoder_block_config *c,
                         const char *operation, int n_rows, int n_cols)
{
    static const char *const in_heads[] = {"q_proj",    "k_proj",    "v_proj",
                                           "q_rotated", "k_rotated", "attention"};
    if (strcmp(operation, "attention.weights") == 0) {
        snprintf(shape, size, "[%d, %d, %d]", n_rows / c->n_heads, c->n_heads, n_cols);
        return;
    }
    for (size_t i = 0; i < sizeof in_heads / sizeof in_heads[0]; i++) {
        if (strcmp(in_heads[i], operation) == 0) {
            snprintf(shape, size, "[%d, %d, %d]", n_rows, n_cols / c->head_dim, c->head_dim);
            return;
        }
    }
    snprintf(shape, size, "[%d, %d]", n_rows, n_cols);
}

/* Scores and mask live inside attention_forward, in the shape of the weights that come out. */
static void print_scores_and_mask(FILE *out, const struct decoder_block_config *c, const char *shape,
                                  int n_tokens, int n_slots)
{
    char name[32], mask[32];
    snprintf(name, sizeof name, "scores / sqrt(%d)", c->head_dim);
    snprintf(mask, sizeof mask, "[%d, %d]", n_tokens, n_slots);
    print_row(out, name, shape, "", "Q K^T");
    print_row(out, "mask", mask, "", "causal; hidden keys skipped");
}

static void report_shape(void *context, const char *operation, int layer, float *values, int n_rows,
                         int n_cols, size_t stride)
{
    const struct shape_report *report = context;
    double rms = root_mean_square(values, (size_t)n_rows * (size_t)n_cols);
    char shape[40], number[16];
    (void)layer;
    (void)stride;
    if (report->out == NULL) {
        table_string(report->table, operation);
        table_int(report->table, n_rows);
        table_int(report->table, n_cols);
        table_float(report->table, rms);
        return;
    }
    format_shape(shape, sizeof shape, report->config, operation, n_rows, n_cols);
    if (strcmp(operation, "attention.weights") == 0) {
        print_scores_and_mask(report->out, report->config, shape, n_rows / report->config->n_heads, n_cols);
    }
    snprintf(number, sizeof number, "%.2f", rms);
    print_row(report->out, operation, shape, number, note_of(operation));
}

static enum status run_with_report(const struct settings *s, FILE *out, struct table *table,
                                   struct error *error)
{
    struct lab lab;
    lab_begin(&lab, s, FORM_QWEN, 0, s->seq_len);
    float *tokens = lab_tokens(&lab, s->seq_len, s->seed + 1);
    struct shape_report report = {out, table, &lab.config};
    struct hook hook = {.call = report_shape, .context = &report, .attention_weights = true};
    if (lab_ok(&lab)) {
        report_shape(&report, "x", 0, tokens, s->seq_len, s->d_model, (size_t)s->d_model);
    }
    lab_run(&lab, tokens, &(struct pass){.n_tokens = s->seq_len, .hook = &hook});
    return lab_end(&lab, error);
}

enum status step_shapes(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    fprintf(out, "   %d tokens; shapes are [tokens, ...], rms the root mean square:\n\n", s->seq_len);
    print_row(out, "operation", "shape", "rms", "");
    return run_with_report(s, out, NULL, error);
}

enum status data_shapes(void *settings, struct table *table, struct error *error)
{
    return run_with_report(settings, NULL, table, error);
}

/* ---- One query ------------------------------------------------------------------------------------------------ */

/* The row of one token and head in a captured operation of rows [n_heads * head_dim] a token. */
static const float *head_row(const struct capture *capture, int token, int head, int head_dim)
{
    return capture->values + (size_t)token * (size_t)capture->n_cols + (size_t)head * (size_t)head_dim;
}

static double score_of(const float *q, const float *k, int head_dim)
{
    double dot = 0.0;
    for (int i = 0; i < head_dim; i++) {
        dot += (double)q[i] * (double)k[i];
    }
    return dot / sqrt(head_dim);
}

enum { SHOWN = 8 };

/* The scores of one query of head 0, and how far their softmax in float64 is from the block's weights. */
static void print_scores(FILE *out, const struct lab *lab, const struct capture *captures, int query)
{
    int head_dim = lab->config.head_dim;
    const float *q = head_row(&captures[0], query, 0, head_dim);
    const float *weights = head_row(&captures[2], query * lab->config.n_heads, 0, 0);
    double sum = 0.0, worst = 0.0;
    for (int key = 0; key <= query; key++) {
        sum += exp(score_of(q, head_row(&captures[1], key, 0, head_dim), head_dim));
    }
    fprintf(out, "     scores ");
    for (int key = 0; key <= query; key++) {
        double score = score_of(q, head_row(&captures[1], key, 0, head_dim), head_dim);
        fprintf(out, "  %5.2f", score);
        worst = fmax(worst, fabs(exp(score) / sum - (double)weights[key]));
    }
    fprintf(out, "\n\n   The scores are query %d's; its row is e^score / sum of e^score (%.1g off).\n", query,
            worst);
}

static void print_weights(FILE *out, const struct lab *lab, const struct capture *weights, int n)
{
    fprintf(out, "     key    ");
    for (int key = 0; key < n; key++) {
        fprintf(out, "  %5d", key);
    }
    for (int query = 0; query < n; query++) {
        const float *row = head_row(weights, query * lab->config.n_heads, 0, 0);
        fprintf(out, "\n     query %d", query);
        for (int key = 0; key < n; key++) {
            fprintf(out, "  %5.2f", (double)row[key]);
        }
    }
    fputc('\n', out);
}

enum status step_query(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    struct lab lab;
    struct capture captures[] = {
        {.operation = "q_rotated"}, {.operation = "k_rotated"}, {.operation = "attention.weights"}};
    lab_begin(&lab, s, FORM_QWEN, 0, s->seq_len);
    float *tokens = lab_tokens(&lab, s->seq_len, s->seed + 1);
    lab_run(&lab, tokens, &(struct pass){.n_tokens = s->seq_len, .captures = captures, .n_captures = 3});
    if (lab_ok(&lab)) {
        int n = s->seq_len < SHOWN ? s->seq_len : SHOWN;
        fprintf(out, "   Head 0: a row for each query, the weights it gives to the keys\n\n");
        print_weights(out, &lab, &captures[2], n);
        print_scores(out, &lab, captures, n - 1);
        fprintf(out, "   All heads in colour:  ./chapter5 --plot attention\n");
    }
    return lab_end(&lab, error);
}

enum status data_attention(void *settings, struct table *table, struct error *error)
{
    enum { MOST = 24 }; /* tokens in the figure: 4 heads of 24 * 24 cells stay below 2500 points */
    const struct settings *s = settings;
    int n = s->seq_len < MOST ? s->seq_len : MOST;
    struct lab lab;
    struct capture weights = {.operation = "attention.weights"};
    lab_begin(&lab, s, FORM_QWEN, 0, n);
    lab_run(&lab, lab_tokens(&lab, n, s->seed + 1),
            &(struct pass){.n_tokens = n, .captures = &weights, .n_captures = 1});
    for (int row = 0; lab_ok(&lab) && row < weights.n_rows; row++) {
        for (int key = 0; key < n; key++) {
            table_int(table, row % s->n_heads);
            table_int(table, row / s->n_heads);
            table_int(table, key);
            table_float(table, (double)weights.values[(size_t)row * (size_t)n + (size_t)key]);
        }
    }
    return lab_end(&lab, error);
}

/* ---- The residual stream through a stack ------------------------------------------------------------------------ */

enum { LAYERS = 16 };

/* rms of the stream, of what the first norm hands on and of the two branches, for each of LAYERS random blocks. */
struct stream_row {
    double stream, normed, attention, ffn;
};

static enum status run_stack(const struct settings *s, struct stream_row rows[LAYERS], struct error *error)
{
    struct lab outer;
    lab_begin(&outer, s, FORM_QWEN, 0, 1);
    float *x = lab_tokens(&outer, s->seq_len, s->seed + 1);
    size_t n = (size_t)s->seq_len * (size_t)s->d_model;
    for (int layer = 0; layer < LAYERS && lab_ok(&outer); layer++) {
        struct settings other = *s;
        struct lab lab;
        struct capture c[] = {
            {.operation = "input_layernorm"}, {.operation = "o_proj"}, {.operation = "mlp.down_proj"}};
        other.seed += 100 + (uint64_t)layer;
        lab_begin(&lab, &other, FORM_QWEN, 0, s->seq_len);
        float *y = lab_run(&lab, x, &(struct pass){.n_tokens = s->seq_len, .captures = c, .n_captures = 3});
        if (lab_ok(&lab)) {
            rows[layer] =
                (struct stream_row){root_mean_square(x, n), root_mean_square(c[0].values, n),
                                    root_mean_square(c[1].values, n), root_mean_square(c[2].values, n)};
            memcpy(x, y, n * sizeof *x);
        }
        outer.status = lab_end(&lab, &outer.error);
    }
    return lab_end(&outer, error);
}

enum status step_stream(void *settings, FILE *out, struct error *error)
{
    static const int shown[] = {0, 1, 3, 7, 15};
    struct stream_row rows[LAYERS] = {{0.0, 0.0, 0.0, 0.0}};
    enum status status = run_stack(settings, rows, error);
    if (status != STATUS_OK) {
        return status;
    }
    fprintf(out,
            "   %d random blocks on top of each other (rms):\n\n"
            "     block    stream x   norm(x)   attention adds   FFN adds\n",
            LAYERS);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        const struct stream_row *row = &rows[shown[i]];
        fprintf(out, "     %5d    %8.2f  %8.2f  %15.2f  %9.2f\n", shown[i] + 1, row->stream, row->normed,
                row->attention, row->ffn);
    }
    fprintf(out, "\n   The stream only ever gets something added. The norm before each branch hands\n"
                 "   every block numbers of the same size. Qwen2.5's norms:  ./chapter6 --trace\n");
    return STATUS_OK;
}

enum status data_stream(void *settings, struct table *table, struct error *error)
{
    struct stream_row rows[LAYERS] = {{0.0, 0.0, 0.0, 0.0}};
    enum status status = run_stack(settings, rows, error);
    for (int layer = 0; status == STATUS_OK && layer < LAYERS; layer++) {
        table_int(table, layer);
        table_float(table, rows[layer].stream);
        table_float(table, rows[layer].normed);
        table_float(table, rows[layer].attention);
        table_float(table, rows[layer].ffn);
    }
    return status;
}
