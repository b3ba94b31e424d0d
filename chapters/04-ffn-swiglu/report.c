/* Steps 7 to 9: the experiment and what may be said about it. Every sentence about who won is made from the numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chapter4.h"
#include "common/rng.h"
#include "experiment.h"

/* ---- Step 7 ------------------------------------------------------------------------------------------------------- */

enum { CHECK_D_MODEL = 6, CHECK_D_FF = 24, CHECK_SAMPLES = 8 };

static enum status check_layer(double *worst, int layer_index, struct error *error)
{
    const struct train_layer layer = experiment_layer(layer_index, CHECK_D_MODEL, CHECK_D_FF);
    double x[CHECK_SAMPLES * CHECK_D_MODEL];
    double y[CHECK_SAMPLES * CHECK_D_MODEL];
    size_t n = train_n_parameters(&layer);
    size_t total = 2 * n + train_scratch_size(&layer, CHECK_SAMPLES);
    double *memory = malloc(checked_product(total, sizeof *memory));
    if (memory == NULL) {
        return error_no_memory(error, "gradients", checked_product(total, sizeof *memory));
    }
    struct rng rng;
    rng_init(&rng, 6);
    train_init(&layer, memory, &rng);
    target_draw(x, y, target_at(0), CHECK_SAMPLES, CHECK_D_MODEL, &rng);
    *worst = train_check_gradients(memory + n, &layer, memory, x, y, CHECK_SAMPLES, memory + 2 * n);
    free(memory);
    return STATUS_OK;
}

enum status step_gradients(void *settings, FILE *out, struct error *error)
{
    (void)settings;
    fprintf(out, "   Before an experiment: do the formulas give the slope of the loss? Each\n"
                 "   parameter moved by 1e-5 both ways; the largest difference as a share of the\n"
                 "   largest gradient (a wrong sign or a forgotten factor would be near 1):\n\n");
    for (int layer = 0; layer < N_LAYERS; layer++) {
        double worst = 0;
        enum status status = check_layer(&worst, layer, error);
        if (status != STATUS_OK) {
            return status;
        }
        bool last = layer % 4 == 3 || layer == N_LAYERS - 1;
        fprintf(out, "   %-8s %.0e%s", experiment_layer_name(layer), worst, last ? "\n" : "  ");
    }
    return STATUS_OK;
}

/* ---- Step 8 ------------------------------------------------------------------------------------------------------- */

static enum status run_experiment(struct experiment **experiment, const struct settings *settings,
                                  struct error *error)
{
    *experiment = malloc(sizeof **experiment);
    if (*experiment == NULL) {
        return error_no_memory(error, "experiment", sizeof **experiment);
    }
    enum status status = experiment_run(*experiment, settings, error);
    if (status != STATUS_OK) {
        free(*experiment);
    }
    return status;
}

static const double *final_loss(const struct experiment *experiment, int target, int layer)
{
    return experiment->outcome[target][layer].loss[N_POINTS - 1];
}

static struct interval final_interval(const struct experiment *experiment, int target, int layer)
{
    return interval_of(final_loss(experiment, target, layer), experiment->n_seeds);
}

/* Layer a's final loss minus layer b's, seed by seed. */
static struct interval difference(const struct experiment *experiment, int target, int a, int b)
{
    return interval_of_difference(final_loss(experiment, target, a), final_loss(experiment, target, b),
                                  experiment->n_seeds);
}

static void print_setup(FILE *out, const struct settings *s)
{
    const struct train_layer plain = experiment_layer(LAYER_RELU, s->d_model, s->d_ff);
    const struct train_layer gated = experiment_layer(LAYER_SWIGLU, s->d_model, s->d_ff);
    fprintf(out,
            "   Seven layers learn the same targets: each output is one function of two of\n"
            "   the inputs, a and b. %zu parameters without a gate, %zu with; %d steps of\n"
            "   Adam on %d new samples each; %d seeds, which all layers share.\n",
            train_n_parameters(&plain), train_n_parameters(&gated), s->steps, BATCH, s->seeds);
    if (s->learning_rate > 0) {
        fprintf(out, "   Learning rate %g for all, falling to 0.\n\n", s->learning_rate);
    } else {
        fprintf(out, "   Learning rate: each layer's best of a sweep (on other seeds), falling to 0.\n\n");
    }
    for (int target = 0; target < N_TARGETS; target++) {
        if (s->target == target || s->target == N_TARGETS) {
            const struct target *t = target_at(target);
            fprintf(out, "   %-10s %-12s favours %s\n", t->name, t->formula, t->favours);
        }
    }
}

static void print_target_names(FILE *out, const struct experiment *experiment, int indent, int width)
{
    fprintf(out, "%*s", indent, "");
    for (int target = 0; target < N_TARGETS; target++) {
        if (experiment->has_target[target]) {
            fprintf(out, " %*s", width - 1, target_at(target)->name);
        }
    }
    fputc('\n', out);
}

static void print_table(FILE *out, const struct experiment *experiment)
{
    bool any_edge = false;
    fprintf(out, "\n   Learning rate, and loss on unseen samples in %% of the target's variance (100\n"
                 "   is no better than always answering the mean): mean ± 95 %% interval\n\n");
    print_target_names(out, experiment, 11, 23);
    for (int layer = 0; layer < N_LAYERS; layer++) {
        fprintf(out, "   %-8s", experiment_layer_name(layer));
        for (int target = 0; target < N_TARGETS; target++) {
            if (!experiment->has_target[target]) {
                continue;
            }
            const struct outcome *outcome = &experiment->outcome[target][layer];
            struct interval loss = final_interval(experiment, target, layer);
            fprintf(out, " %5.3g%c%7.3f ± %6.3f", outcome->learning_rate, outcome->at_edge ? '*' : ' ',
                    100 * loss.mean, 100 * loss.half);
            any_edge = any_edge || outcome->at_edge;
        }
        fputc('\n', out);
    }
    fprintf(out, "%s", any_edge ? "   * the end of the sweep: a rate beyond it might do better\n" : "");
}

static int best_layer(const struct experiment *experiment, int target)
{
    int best = 0;
    for (int layer = 1; layer < N_LAYERS; layer++) {
        if (final_interval(experiment, target, layer).mean < final_interval(experiment, target, best).mean) {
            best = layer;
        }
    }
    return best;
}

/* "smooth     lowest: GELU; level: ReLU, SiLU" */
static void print_winner(FILE *out, const struct experiment *experiment, int target)
{
    int best = best_layer(experiment, target);
    int n_level = 0;
    fprintf(out, "   %-10s lowest: %s; ", target_at(target)->name, experiment_layer_name(best));
    for (int layer = 0; layer < N_LAYERS; layer++) {
        if (layer != best && interval_side(difference(experiment, target, layer, best)) == 0) {
            fprintf(out, "%s%s", n_level == 0 ? "level: " : ", ", experiment_layer_name(layer));
            n_level++;
        }
    }
    fprintf(out, "%s\n", n_level == 0 ? "every other layer is above it" : "");
}

static void print_difference(FILE *out, const struct experiment *experiment, int with, int without)
{
    fprintf(out, "   %-6s - %s ", experiment_layer_name(with), experiment_layer_name(without));
    for (int target = 0; target < N_TARGETS; target++) {
        if (experiment->has_target[target]) {
            struct interval d = difference(experiment, target, with, without);
            fprintf(out, "  %8.3f ± %6.3f", 100 * d.mean, 100 * d.half);
        }
    }
    fputc('\n', out);
}

/* "SwiGLU against SiLU: better on product; worse on smooth, piecewise." */
static void print_verdict(FILE *out, const struct experiment *experiment, int with, int without)
{
    static const char *const words[3] = {"better on", "level on", "worse on"};
    const char *separator = "";
    fprintf(out, "   %s against %s: ", experiment_layer_name(with), experiment_layer_name(without));
    for (int side = -1; side <= 1; side++) {
        int n = 0;
        for (int target = 0; target < N_TARGETS; target++) {
            if (experiment->has_target[target] &&
                interval_side(difference(experiment, target, with, without)) == side) {
                fprintf(out, "%s%s %s", n == 0 ? separator : ",", n == 0 ? words[side + 1] : "",
                        target_at(target)->name);
                n++;
            }
        }
        separator = n > 0 ? "; " : separator;
    }
    fprintf(out, ".\n");
}

static void print_findings(FILE *out, const struct experiment *experiment)
{
    fprintf(out, "\n   What came out (level: 0 is inside the 95 %% interval of the difference, which\n"
                 "   is taken seed by seed):\n\n");
    for (int target = 0; target < N_TARGETS; target++) {
        if (experiment->has_target[target]) {
            print_winner(out, experiment, target);
        }
    }
    fprintf(out, "\n   The gate alone, with the same activation:\n\n");
    print_target_names(out, experiment, 17, 19);
    print_difference(out, experiment, LAYER_GEGLU, LAYER_GELU);
    print_difference(out, experiment, LAYER_SWIGLU, LAYER_SILU);
    fputc('\n', out);
    print_verdict(out, experiment, LAYER_GEGLU, LAYER_GELU);
    print_verdict(out, experiment, LAYER_SWIGLU, LAYER_SILU);
}

enum status step_experiment(void *settings, FILE *out, struct error *error)
{
    struct experiment *experiment = NULL;
    enum status status = run_experiment(&experiment, settings, error);
    if (status != STATUS_OK) {
        return status;
    }
    print_setup(out, settings);
    print_table(out, experiment);
    print_findings(out, experiment);
    free(experiment);
    return STATUS_OK;
}

/* ---- Step 9 ------------------------------------------------------------------------------------------------------- */

/* Shazeer 2020, table 1: log-perplexity on held-out text (C4), T5 base, all with as many parameters as d_model 768 and
 * d_ff 3072 without a gate; the deviation is that of four runs of 65536 steps. */
static const struct {
    const char *name;
    double short_run, deviation, long_run;
} published[] = {
    {"ReLU", 1.997, 0.005, 1.677},     {"GELU", 1.983, 0.005, 1.679}, {"Swish = SiLU", 1.994, 0.003, 1.683},
    {"bilinear", 1.960, 0.005, 1.648}, {"GLU", 1.982, 0.006, 1.663},  {"GEGLU", 1.942, 0.004, 1.633},
    {"SwiGLU", 1.944, 0.010, 1.636},
};

enum status step_published(void *settings, FILE *out, struct error *error)
{
    (void)settings;
    (void)error;
    fprintf(out, "   One small layer, and targets that we chose: it shows how to compare fairly,\n"
                 "   and that the target matters. It says nothing about text. For that, whole\n"
                 "   models were trained (Shazeer 2020, arXiv 2002.05202, table 1: log-perplexity\n"
                 "   on held-out text, equal parameters; lower is better):\n\n"
                 "                      65536 steps   524288 steps\n");
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        fprintf(out, "   %-14s %.3f (deviation %.3f) %8.3f\n", published[i].name, published[i].short_run,
                published[i].deviation, published[i].long_run);
    }
    fprintf(out, "\n   There every gate is ahead after the long run, and GEGLU and SwiGLU are level.\n"
                 "   The paper offers no reason, and repeats only the short runs: good evidence\n"
                 "   for one model and one data set, not a theorem.\n");
    return STATUS_OK;
}

/* ---- Data sets ------------------------------------------------------------------------------------------------------ */

static void write_point(struct table *table, const double *loss, int n_seeds)
{
    struct interval interval = interval_of(loss, n_seeds);
    double lowest = loss[0];
    double highest = loss[0];
    for (int seed = 1; seed < n_seeds; seed++) {
        lowest = fmin(lowest, loss[seed]);
        highest = fmax(highest, loss[seed]);
    }
    table_float(table, interval.mean);
    table_float(table, interval.half);
    table_float(table, lowest);
    table_float(table, highest);
}

enum status write_curves(void *settings, struct table *table, struct error *error)
{
    struct experiment *experiment = NULL;
    enum status status = run_experiment(&experiment, settings, error);
    if (status != STATUS_OK) {
        return status;
    }
    for (int target = 0; target < N_TARGETS; target++) {
        for (int layer = 0; layer < N_LAYERS && experiment->has_target[target]; layer++) {
            for (int point = 0; point < N_POINTS; point++) {
                table_string(table, target_at(target)->name);
                table_string(table, experiment_layer_name(layer));
                table_int(table, experiment->step_of_point[point]);
                write_point(table, experiment->outcome[target][layer].loss[point], experiment->n_seeds);
            }
        }
    }
    free(experiment);
    return STATUS_OK;
}

enum status write_losses(void *settings, struct table *table, struct error *error)
{
    const struct settings *s = settings;
    struct experiment *experiment = NULL;
    enum status status = run_experiment(&experiment, settings, error);
    if (status != STATUS_OK) {
        return status;
    }
    for (int target = 0; target < N_TARGETS; target++) {
        for (int layer = 0; layer < N_LAYERS && experiment->has_target[target]; layer++) {
            const struct train_layer shape = experiment_layer(layer, s->d_model, s->d_ff);
            struct interval loss = final_interval(experiment, target, layer);
            table_string(table, target_at(target)->name);
            table_string(table, experiment_layer_name(layer));
            table_int(table, shape.gated);
            table_int(table, shape.d_ff);
            table_int(table, (long long)train_n_parameters(&shape));
            table_float(table, experiment->outcome[target][layer].learning_rate);
            table_float(table, loss.mean);
            table_float(table, loss.half);
        }
    }
    free(experiment);
    return STATUS_OK;
}
