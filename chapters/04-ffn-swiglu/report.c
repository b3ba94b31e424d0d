/* Step 8: the experiment. Every sentence about who won is made from the numbers. */
#include <stdlib.h>

#include "chapter4.h"
#include "experiment.h"

static struct interval final_interval(const struct experiment *experiment, int target, int layer)
{
    return interval_of(experiment_final(experiment, target, layer), experiment->n_seeds);
}

/* Layer a's final loss minus layer b's, seed by seed. */
static struct interval difference(const struct experiment *experiment, int target, int a, int b)
{
    return interval_of_difference(experiment_final(experiment, target, a),
                                  experiment_final(experiment, target, b), experiment->n_seeds);
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

/* Three decimals, or fewer where the columns would break: two seeds have intervals in the hundreds. */
static const char *six_wide(char *text, size_t size, double value)
{
    int decimals = value < 99.9995 ? 3 : value < 999.995 ? 2 : 0;
    snprintf(text, size, "%.*f", decimals, value);
    return text;
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
            char half[32];
            struct interval loss = final_interval(experiment, target, layer);
            fprintf(out, " %5.3g%c%7.3f ± %6s", outcome->learning_rate, outcome->at_edge ? '*' : ' ',
                    100 * loss.mean, six_wide(half, sizeof half, 100 * loss.half));
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
            char half[32];
            struct interval d = difference(experiment, target, with, without);
            fprintf(out, "  %8.3f ± %6s", 100 * d.mean, six_wide(half, sizeof half, 100 * d.half));
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
    enum status status = experiment_run(&experiment, settings, error);
    if (status != STATUS_OK) {
        return status;
    }
    print_setup(out, settings);
    print_table(out, experiment);
    print_findings(out, experiment);
    free(experiment);
    return STATUS_OK;
}
