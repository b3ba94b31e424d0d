/* trace.c: the residual stream of the last prompt token after every layer. */
#include <math.h>
#include <string.h>

#include "chapter6.h"
#include "reader.h"

enum { SHOWN = 4 };

struct trace {
    FILE *out;
    const struct reader *reader;
    int last; /* the token that is shown */
};

static void print_layer(void *context, const char *operation, int layer, float *values, int n_rows,
                        int n_cols, size_t stride)
{
    const struct trace *trace = context;
    int row = trace->last - trace->reader->first;
    bool end_of_layer = strcmp(operation, "output") == 0;
    if (row >= n_rows ||
        (!end_of_layer && strcmp(operation, "embed_tokens") != 0 && strcmp(operation, "norm") != 0)) {
        return;
    }
    const float *x = values + (size_t)row * stride;
    double sum = 0;
    for (int i = 0; i < n_cols; i++) {
        sum += (double)x[i] * (double)x[i];
    }
    if (end_of_layer) {
        fprintf(trace->out, "  layer %-8d", layer + 1);
    } else {
        fprintf(trace->out, "  %-14s", operation);
    }
    fprintf(trace->out, "%12.5f  ", sqrt(sum));
    for (int i = 0; i < n_cols && i < SHOWN; i++) {
        fprintf(trace->out, " %10.5f", (double)x[i]);
    }
    fputc('\n', trace->out);
}

enum status trace_run(struct settings *settings, FILE *out, struct error *error)
{
    const struct session *session = &settings->session;
    int n = (int)session->prompt.n;
    struct broken broken;
    enum status status = broken_init(&broken, &session->model, session->fault, PASS_TOKENS, n, error);
    if (status != STATUS_OK) {
        return status;
    }
    struct trace trace = {out, &broken.reader, n - 1};
    struct hook hook = {.call = print_layer, .context = &trace};
    broken_watch(&broken, &hook);
    fprintf(out, "The residual stream of token %d (the last of the prompt), ", n - 1);
    write_piece(out, session, session->prompt.id[n - 1]);
    fprintf(out, ":\n\n  after                 norm   first values\n");
    status = reader_read(&broken.reader, session->prompt.id, n, NULL, NULL, error);
    fprintf(out, "\nEvery value between the operations:  ./chapter6 --data hidden\n");
    broken_free(&broken);
    return status;
}
