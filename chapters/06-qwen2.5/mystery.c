/* mystery.c: a fault that is not named. Alone, --mystery compares the broken model with the healthy one in four ways;
 * together they tell the faults apart (README.md, "A mystery"). */
#include <math.h>

#include "chapter6.h"
#include "common/hash.h"
#include "difference.h"
#include "measure.h"

enum { WINDOWS = 2 }; /* of text, unless --windows asks for more */

/* Faults as fault_at numbers them; -1, -2, … those of faults_of_mysteries. In an order that means nothing. */
static const struct {
    int fault, layer;
} shelf[MYSTERIES] = {{10, 0}, {-3, EVERY_LAYER}, {5, 3},           {-1, 0}, {9, 1},
                      {12, 3}, {15, EVERY_LAYER}, {8, EVERY_LAYER}, {3, 2},  {-2, 1}};

struct fault_place mystery_fault(int mystery)
{
    if (mystery < 1 || mystery > MYSTERIES) {
        return (struct fault_place){fault_at(0), EVERY_LAYER};
    }
    int place = 0; /* of this number's hash among all: a glance at the table tells nobody the answer */
    for (int i = 1; i <= MYSTERIES; i++) {
        place += hash_number((uint64_t)i) < hash_number((uint64_t)mystery);
    }
    int fault = shelf[place].fault;
    return (struct fault_place){fault >= 0 ? fault_at(fault) : &faults_of_mysteries[-1 - fault],
                                shelf[place].layer};
}

static enum status print_perplexity(const struct settings *s, FILE *out, struct error *error)
{
    struct token_ids ids = {.n = 0};
    struct perplexity broken = {.n_windows = 0};
    struct perplexity whole = {.n_windows = 0};
    struct session healthy = s->session; /* everything borrowed */
    int n_windows = s->windows > 0 ? s->windows : WINDOWS;
    enum status status = measure_text(&ids, s, NULL, error);
    healthy.fault = mystery_fault(0);
    if (status == STATUS_OK) {
        status = measure_perplexity(&broken, &s->session, &ids, n_windows, error);
    }
    if (status == STATUS_OK) {
        status = measure_perplexity(&whole, &healthy, &ids, n_windows, error);
    }
    if (status == STATUS_OK) {
        fprintf(out,
                "                                broken     healthy\n"
                "  perplexity              %12.4f%12.4f    %d windows of held-out text\n\n",
                broken.value, whole.value, whole.n_windows);
    }
    token_ids_free(&ids);
    return status;
}

static void print_norms(const struct difference *d, int n_layers, FILE *out)
{
    fprintf(out, "  norm of token %-3d after\n", d->n_tokens - 1);
    for (int i = 0; i < n_layers + 2; i++) {
        if (i == 0 || i == n_layers + 1) {
            fprintf(out, "    %-22s", i == 0 ? "embed_tokens" : "norm");
        } else {
            fprintf(out, "    layer %-16d", i);
        }
        fprintf(out, "%12.5f%12.5f\n", d->norm[i], d->healthy_norm[i]);
    }
}

static void print_first(const struct difference *d, int n_layers, FILE *out)
{
    fprintf(out, "\nThe first operation with other values, in one pass over %d tokens:\n\n", d->n_tokens);
    if (!d->found) {
        fprintf(out, "  none: every value is the healthy one's, bit for bit\n");
        return;
    }
    if (d->layer < 0 || d->layer >= n_layers) {
        fprintf(out, "  %s", d->operation);
    } else {
        fprintf(out, "  layer %d, %s", d->layer + 1, d->operation);
    }
    fprintf(out, ", from token %d on\n", d->first_token);
    fprintf(out, "  all values together %.5f times as long; largest difference %.3g\n", d->length,
            d->largest);
    if (d->n_turns > 0) {
        fprintf(out, "  first pair of head 0: token    times as long    turned by (radians)\n");
    }
    for (int t = 0; t < d->n_turns; t++) {
        double angle = fabs(d->pair_angle[t]) < 5e-5 ? 0 : d->pair_angle[t];
        fprintf(out, "  %28d %16.4f %19.4f\n", t, d->pair_length[t], angle);
    }
}

enum status mystery_run(struct settings *settings, FILE *out, struct error *error)
{
    const struct session *session = &settings->session;
    int n_layers = session->model.config.n_layers;
    double worst = 0;
    double bound = 0;
    struct difference difference = {.found = false};
    enum status status = print_perplexity(settings, out, error);
    if (status == STATUS_OK) {
        status = difference_measure(&difference, session, error);
    }
    if (status == STATUS_OK) {
        print_norms(&difference, n_layers, out);
        print_first(&difference, n_layers, out);
        status = measure_decode(&worst, &bound, settings, error);
    }
    if (status == STATUS_OK) {
        fprintf(out, "\nToken by token gives the logits of one pass: %s (largest difference %.2g)\n",
                worst <= bound ? "yes" : "NO", worst);
        fprintf(out,
                "\nMore:  --trace, --check or --perplexity FILE with --mystery %d; and\n"
                "./chapter6 --mystery %d --data hidden beside ./chapter6 --data hidden\n",
                settings->mystery, settings->mystery);
    }
    difference_free(&difference);
    return status;
}
