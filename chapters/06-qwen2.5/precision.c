/* precision.c: --float64: how far every kernel of this machine is from float64, with the activations it keeps by default
 * and with those of --precision bf16. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chapter6.h"
#include "common/matmul.h"
#include "exact.h"
#include "measure.h"
#include "reader.h"

enum { COMPARED = 64 }; /* tokens: enough for the kernels of many tokens */

struct distance {
    const double *exact; /* [n_tokens, vocab_size] */
    size_t vocab_size;
    double worst; /* NaN counts as infinite */
};

static enum status compare(void *context, int first, int n_rows, const float *logits, struct error *error)
{
    struct distance *distance = context;
    const double *exact = distance->exact + (size_t)first * distance->vocab_size;
    (void)error;
    for (size_t i = 0; i < (size_t)n_rows * distance->vocab_size; i++) {
        double difference = fabs((double)logits[i] - exact[i]);
        if (!(difference <= distance->worst)) {
            distance->worst = isnan(difference) ? HUGE_VAL : difference;
        }
    }
    return STATUS_OK;
}

static enum status measure_kernel(double worst[2], struct reader *reader, const double *exact,
                                  const int32_t *token, int n_tokens, struct error *error)
{
    static const enum matmul_precision precisions[2] = {MATMUL_TWO_TERMS, MATMUL_ONE_TERM};
    enum status status = STATUS_OK;
    for (int p = 0; p < 2 && status == STATUS_OK; p++) {
        struct distance distance = {exact, (size_t)reader->model->config.vocab_size, 0};
        matmul_set_precision(precisions[p]);
        status = reader_read(reader, token, n_tokens, compare, &distance, error);
        worst[p] = distance.worst;
    }
    matmul_set_precision(MATMUL_TWO_TERMS);
    return status;
}

static enum status print_kernels(FILE *out, struct reader *reader, const double *exact, const int32_t *token,
                                 int n_tokens, struct error *error)
{
    const char *name = NULL;
    enum status status = STATUS_OK;
    fprintf(out, "               largest difference\n"
                 "  kernel       default    --precision bf16\n");
    for (int i = 0; status == STATUS_OK && (name = matmul_usable_kernel(i)) != NULL; i++) {
        double worst[2] = {0, 0};
        status = matmul_choose_kernel(name, error);
        if (status == STATUS_OK) {
            status = measure_kernel(worst, reader, exact, token, n_tokens, error);
        }
        if (status == STATUS_OK) {
            fprintf(out, "  %-12s %-9.1e  %.1e\n", name, worst[0], worst[1]);
        }
    }
    return status;
}

static double largest(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static enum status compare_text(const struct qwen2 *model, const int32_t *token, int n, FILE *out,
                                struct error *error)
{
    size_t n_logits = checked_product((size_t)n, (size_t)model->config.vocab_size);
    struct reader reader;
    enum status status = reader_init(&reader, model, n, n, error);
    if (status != STATUS_OK) {
        return status;
    }
    double *exact = malloc(checked_product(n_logits, sizeof *exact));
    if (exact == NULL) {
        reader_free(&reader);
        return error_no_memory(error, "logits", checked_product(n_logits, sizeof *exact));
    }
    status = exact_logits(exact, model, token, n, false, error);
    if (status == STATUS_OK) {
        fprintf(out,
                "Logits of %d tokens, %d each, against the same weights in float64.\n"
                "Largest logit %.4g\n\n",
                n, model->config.vocab_size, largest(exact, n_logits));
        status = print_kernels(out, &reader, exact, token, n, error);
    }
    free(exact);
    reader_free(&reader);
    return status;
}

enum status float64_run(struct settings *settings, FILE *out, struct error *error)
{
    struct token_ids ids = {.n = 0};
    enum status status = measure_text(&ids, settings, settings->float64, error);
    if (status == STATUS_OK) {
        status = compare_text(&settings->session.model, ids.id, ids.n < COMPARED ? (int)ids.n : COMPARED, out,
                              error);
    }
    token_ids_free(&ids);
    return status;
}
