/* perplexity.c: how well the model predicts a text: on the whole (--perplexity), and with one part broken at a time
 * (--ablate). */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "chapter6.h"
#include "faults.h"
#include "loss.h"
#include "measure.h"

/* "3 of 17" for a person who waits; erased again before anything else is printed on that line. */
static void show_progress(int done, int of)
{
    if (isatty(fileno(stderr))) {
        fprintf(stderr, "%d of %d", done, of);
    }
}

static void erase_progress(void)
{
    if (isatty(fileno(stderr))) {
        fputs("\r          \r", stderr);
    }
}

enum status measure_text(struct token_ids *ids, const struct settings *s, const char *path,
                         struct error *error)
{
    char bundled[4096];
    enum status status = STATUS_OK;
    if (path == NULL) {
        status = bundled_file(bundled, sizeof bundled, "tiny-stories/held-out.txt", error);
        path = bundled;
    }
    if (status == STATUS_OK && s->session.tokenizer == NULL) {
        status = error_set(error, STATUS_UNSUPPORTED, "%s: no tokenizer that this program reads",
                           s->session.folder);
    }
    if (status == STATUS_OK) {
        status = loss_read_file(ids, s->session.tokenizer, path, error);
    }
    if (status == STATUS_OK && ids->n < 2) {
        status = error_set(error, STATUS_LIMIT, "%s: expected 2 tokens at least, found %zu", path, ids->n);
    }
    return status;
}

/* A text shorter than a window is one window. asked: 0 for all. */
static int choose_windows(int *window, const struct token_ids *ids, int asked)
{
    *window = ids->n < PASS_TOKENS ? (int)ids->n : PASS_TOKENS;
    size_t all = ids->n / (size_t)*window;
    return asked > 0 && (size_t)asked < all ? asked : (int)all;
}

enum status measure_perplexity(struct perplexity *result, const struct session *session,
                               const struct token_ids *ids, int n_windows, struct error *error)
{
    struct broken broken;
    result->n_windows = choose_windows(&result->window, ids, n_windows);
    enum status status =
        broken_init(&broken, &session->model, session->fault, result->window, result->window, error);
    if (status == STATUS_OK) {
        status =
            loss_perplexity(&result->value, &broken.reader, ids, result->window, result->n_windows, error);
        broken_free(&broken);
    }
    return status;
}

enum status perplexity_run(struct settings *settings, FILE *out, struct error *error)
{
    struct token_ids ids = {.n = 0};
    struct perplexity perplexity = {.n_windows = 0};
    enum status status = measure_text(&ids, settings, settings->perplexity, error);
    if (status == STATUS_OK) {
        status = measure_perplexity(&perplexity, &settings->session, &ids, settings->windows, error);
    }
    if (status == STATUS_OK) {
        fprintf(out, "perplexity %.6g: %.6f nats a token\n", perplexity.value, log(perplexity.value));
        fprintf(out, "%d windows of %d tokens from %zu, the first token of each not scored\n",
                perplexity.n_windows, perplexity.window, ids.n);
    }
    token_ids_free(&ids);
    return status;
}

enum status measure_ablation(const struct settings *s, ablation_row row, void *context, struct error *error)
{
    struct token_ids ids = {.n = 0};
    int window = 0;
    int n_faults = 0;
    enum status status = measure_text(&ids, s, NULL, error);
    int n_windows = status == STATUS_OK
                        ? choose_windows(&window, &ids, s->windows > 0 ? s->windows : ABLATION_WINDOWS)
                        : 0;
    while (fault_at(n_faults) != NULL) {
        n_faults++;
    }
    for (int i = 0; i < n_faults && status == STATUS_OK; i++) {
        struct broken broken;
        double perplexity = 0;
        show_progress(i, n_faults);
        struct fault_place place = {fault_at(i), EVERY_LAYER};
        status = broken_init(&broken, &s->session.model, place, window, window, error);
        if (status == STATUS_OK) {
            status = loss_perplexity(&perplexity, &broken.reader, &ids, window, n_windows, error);
            broken_free(&broken);
        }
        erase_progress();
        if (status == STATUS_OK) {
            row(context, fault_at(i), perplexity);
        }
    }
    token_ids_free(&ids);
    return status;
}

struct ablation_table {
    FILE *out;
    double whole; /* the perplexity with nothing broken */
};

static void print_fault(void *context, const struct fault *fault, double perplexity)
{
    struct ablation_table *table = context;
    table->whole = table->whole == 0 ? perplexity : table->whole;
    double nats = log(perplexity / table->whole);
    nats = fabs(nats) < 5e-5 ? 0 : nats; /* a hair better is not -0.0000 */
    fprintf(table->out, "  %-28s%12.4f%9.4f  %s\n", fault->name, perplexity, nats, fault->what);
}

enum status ablate_run(struct settings *settings, FILE *out, struct error *error)
{
    struct ablation_table table = {out, 0};
    fprintf(out, "The same weights, the same held-out text, one part broken at a time.\n\n"
                 "  broken                        perplexity   nats\n");
    enum status status = measure_ablation(settings, print_fault, &table, error);
    if (status == STATUS_OK) {
        fprintf(out,
                "\nnats: how much worse each token is predicted. A model that knows nothing and\n"
                "gives each of %d tokens the same chance has a perplexity of %d.\n"
                "See it:  ./chapter6 --plot ablation\n",
                settings->session.model.config.vocab_size, settings->session.model.config.vocab_size);
    }
    return status;
}
