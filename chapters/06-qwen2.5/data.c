/* data.c: the data sets of --data. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chapter6.h"
#include "measure.h"
#include "reader.h"

static const struct session *session_of(void *settings)
{
    return &((struct settings *)settings)->session;
}

static void write_piece_cell(struct table *table, const struct session *session, int32_t id)
{
    size_t length = 0;
    const char *piece = session->tokenizer != NULL ? tokenizer_piece(session->tokenizer, id, &length) : "";
    table_text(table, piece, length);
}

enum status data_tokens(void *settings, struct table *table, struct error *error)
{
    const struct session *session = session_of(settings);
    (void)error;
    for (size_t i = 0; i < session->prompt.n; i++) {
        table_int(table, (long long)i);
        table_int(table, session->prompt.id[i]);
        write_piece_cell(table, session, session->prompt.id[i]);
    }
    return STATUS_OK;
}

/* Reads the prompt with a callback for logits or a hook; the shape of logits, hidden and norms. */
static enum status read_prompt(const struct session *session, struct broken *broken, const struct hook *hook,
                               reader_callback callback, void *context, struct error *error)
{
    int n = (int)session->prompt.n;
    enum status status = broken_init(broken, &session->model, session->fault, PASS_TOKENS, n, error);
    if (status == STATUS_OK) {
        if (hook != NULL) {
            broken_watch(broken, hook);
        }
        status = reader_read(&broken->reader, session->prompt.id, n, callback, context, error);
        broken_free(broken);
    }
    return status;
}

struct rows {
    struct table *table;
    struct broken broken;
    int vocab_size;
};

static enum status write_logits(void *context, int first, int n_rows, const float *logits,
                                struct error *error)
{
    const struct rows *rows = context;
    (void)error;
    for (int r = 0; r < n_rows; r++) {
        for (int id = 0; id < rows->vocab_size; id++) {
            table_int(rows->table, first + r);
            table_int(rows->table, id);
            table_float(rows->table, (double)logits[(size_t)r * (size_t)rows->vocab_size + (size_t)id]);
        }
    }
    return STATUS_OK;
}

enum status data_logits(void *settings, struct table *table, struct error *error)
{
    const struct session *session = session_of(settings);
    struct rows rows = {.table = table, .vocab_size = session->model.config.vocab_size};
    return read_prompt(session, &rows.broken, NULL, write_logits, &rows, error);
}

/* "attention.weights" has one row a token and head: the head is folded into the dimension. */
static void write_hidden(void *context, const char *operation, int layer, float *values, int n_rows,
                         int n_cols, size_t stride)
{
    const struct rows *rows = context;
    int per_token = strcmp(operation, "attention.weights") == 0 ? rows->broken.model.config.n_heads : 1;
    for (int r = 0; r < n_rows; r++) {
        for (int i = 0; i < n_cols; i++) {
            table_int(rows->table, layer);
            table_string(rows->table, operation);
            table_int(rows->table, rows->broken.reader.first + r / per_token);
            table_int(rows->table, r % per_token * n_cols + i);
            table_float(rows->table, (double)values[(size_t)r * stride + (size_t)i]);
        }
    }
}

enum status data_hidden(void *settings, struct table *table, struct error *error)
{
    struct rows rows = {.table = table};
    struct hook hook = {.call = write_hidden, .context = &rows, .attention_weights = true};
    return read_prompt(session_of(settings), &rows.broken, &hook, NULL, NULL, error);
}

struct generated {
    struct table *table;
    int index;
};

static bool write_generated(void *context, int32_t id, int position, const float *logits)
{
    struct generated *generated = context;
    table_int(generated->table, generated->index++);
    table_int(generated->table, position);
    table_int(generated->table, id);
    table_float(generated->table, (double)logits[id]);
    return !ferror(generated->table->out);
}

enum status data_generated(void *settings, struct table *table, struct error *error)
{
    const struct settings *s = settings;
    const struct session *session = &s->session;
    struct generated generated = {table, 0};
    struct generate_result result;
    struct generator g;
    enum status status = generator_init(&g, s, error);
    if (status == STATUS_OK) {
        status = generate(&session->model, &g.run, &g.cache, &session->generation, &g.sampler,
                          session->prompt.id, (int)session->prompt.n, s->max_new_tokens, write_generated,
                          &generated, NULL, &result, error);
        generator_free(&g);
    }
    return status;
}

enum status data_next(void *settings, struct table *table, struct error *error)
{
    enum { SHOWN = 20 };
    const struct settings *s = settings;
    const struct session *session = &s->session;
    int vocab_size = session->model.config.vocab_size;
    int n = vocab_size < SHOWN ? vocab_size : SHOWN;
    size_t bytes = (size_t)vocab_size * sizeof(float);
    struct candidate top[SHOWN];
    struct generator g;
    float *logits = malloc(bytes);
    float *probability = malloc(bytes);
    if (logits == NULL || probability == NULL) {
        free(logits);
        free(probability);
        return error_no_memory(error, "logits", bytes);
    }
    enum status status = generator_init(&g, s, error);
    if (status == STATUS_OK) {
        status = generator_prefill(&g, session, NULL, logits, error);
        if (status == STATUS_OK) {
            sampler_top(top, n, logits, vocab_size);
            sampler_probabilities(&g.sampler, probability, logits);
            for (int i = 0; i < n; i++) {
                table_int(table, i + 1);
                table_int(table, top[i].id);
                write_piece_cell(table, session, top[i].id);
                table_float(table, (double)top[i].value);
                table_float(table, (double)probability[top[i].id]);
            }
        }
        generator_free(&g);
    }
    free(logits);
    free(probability);
    return status;
}

struct norms {
    double *first, *others; /* [n_layers + 1] */
    struct broken broken;
};

static void add_norms(void *context, const char *operation, int layer, float *values, int n_rows, int n_cols,
                      size_t stride)
{
    struct norms *norms = context;
    if (strcmp(operation, "output") != 0 && strcmp(operation, "embed_tokens") != 0) {
        return;
    }
    for (int r = 0; r < n_rows; r++) {
        const float *x = values + (size_t)r * stride;
        double sum = 0;
        for (int i = 0; i < n_cols; i++) {
            sum += (double)x[i] * (double)x[i];
        }
        double *to = norms->broken.reader.first + r == 0 ? norms->first : norms->others;
        to[layer + 1] += sqrt(sum);
    }
}

enum status data_norms(void *settings, struct table *table, struct error *error)
{
    const struct session *session = session_of(settings);
    int n_rows = session->model.config.n_layers + 1; /* the embedding, then every layer */
    int n_others = (int)session->prompt.n - 1;
    double *sums = calloc(2 * (size_t)n_rows, sizeof *sums);
    if (sums == NULL) {
        return error_no_memory(error, "norms", 2 * (size_t)n_rows * sizeof *sums);
    }
    struct norms norms = {.first = sums, .others = sums + n_rows};
    struct hook hook = {.call = add_norms, .context = &norms};
    enum status status = read_prompt(session, &norms.broken, &hook, NULL, NULL, error);
    for (int i = 0; i < n_rows && status == STATUS_OK; i++) {
        table_int(table, i);
        table_float(table, norms.first[i]);
        table_float(table, n_others > 0 ? norms.others[i] / n_others : (double)NAN);
    }
    free(sums);
    return status;
}

static void write_fault(void *context, const struct fault *fault, double perplexity)
{
    struct table *table = context;
    table_string(table, fault->name);
    table_float(table, perplexity);
}

enum status data_ablation(void *settings, struct table *table, struct error *error)
{
    return measure_ablation(settings, write_fault, table, error);
}

enum status data_positions(void *settings, struct table *table, struct error *error)
{
    struct position_losses losses;
    enum status status = measure_positions(&losses, settings, NULL, error);
    for (int b = 0; b < POSITION_BINS && status == STATUS_OK; b++) {
        table_int(table, b * POSITION_BIN);
        for (int m = 0; m < POSITION_MODELS; m++) {
            table_float(table, losses.mean[m][b]);
        }
    }
    return status;
}
