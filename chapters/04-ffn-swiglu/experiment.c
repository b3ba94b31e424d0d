#include "experiment.h"

#include <stdlib.h>
#include <unistd.h>

#include "common/ffn.h"
#include "common/require.h"
#include "run.h"

enum { N_SWEEP_SEEDS = 2, FIRST_SWEEP_SEED = 1000, FIRST_SEED = 1 };

static const double rates[N_RATES] = {0.01, 0.03, 0.1, 0.3};

static const struct {
    const char *name;
    enum activation activation;
    bool gated;
} layers[N_LAYERS] = {
    [LAYER_RELU] = {"ReLU", ACTIVATION_RELU, false},
    [LAYER_GELU] = {"GELU", ACTIVATION_GELU, false},
    [LAYER_SILU] = {"SiLU", ACTIVATION_SILU, false},
    [LAYER_BILINEAR] = {"bilinear", ACTIVATION_IDENTITY, true},
    [LAYER_GLU] = {"GLU", ACTIVATION_SIGMOID, true},
    [LAYER_GEGLU] = {"GEGLU", ACTIVATION_GELU, true},
    [LAYER_SWIGLU] = {"SwiGLU", ACTIVATION_SILU, true},
};

const char *experiment_layer_name(int layer)
{
    REQUIRE(layer >= 0 && layer < N_LAYERS);
    return layers[layer].name;
}

struct train_layer experiment_layer(int layer, int d_model, int d_ff)
{
    REQUIRE(layer >= 0 && layer < N_LAYERS);
    bool gated = layers[layer].gated;
    return (struct train_layer){.activation = layers[layer].activation,
                                .gated = gated,
                                .biased = false,
                                .d_in = d_model,
                                .d_ff = gated ? ffn_gated_width(d_ff, 1) : d_ff,
                                .d_out = d_model};
}

struct progress {
    FILE *terminal; /* NULL: nobody watches */
    int done, total;
};

static void show_progress(const struct progress *progress)
{
    enum { WIDTH = 40 };
    char bar[WIDTH + 1];
    int filled = progress->done * WIDTH / progress->total;
    for (int i = 0; i < WIDTH; i++) {
        bar[i] = i < filled ? '#' : '.';
    }
    bar[WIDTH] = '\0';
    fprintf(progress->terminal, "\rtraining [%s] %d of %d", bar, progress->done, progress->total);
    if (progress->done == progress->total) {
        fprintf(progress->terminal, "\r%*s\r", WIDTH + 32, "");
    }
    fflush(progress->terminal);
}

static enum status run_all(struct run *runs, int n_runs, const struct settings *settings,
                           struct progress *progress, struct error *error)
{
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
#endif
    for (int i = 0; i < n_runs; i++) {
        run_training(&runs[i], settings);
#ifdef _OPENMP
#pragma omp critical
#endif
        {
            progress->done++;
            if (progress->terminal != NULL) {
                show_progress(progress);
            }
        }
    }
    for (int i = 0; i < n_runs; i++) {
        if (runs[i].no_memory) {
            return error_set(error, STATUS_NO_MEMORY, "training: out of memory");
        }
    }
    return STATUS_OK;
}

/* The runs of one learning rate and of n_seeds seeds, for every layer and asked-for target; returns how many. */
static int list_runs(struct run *runs, const struct experiment *experiment, int first_seed, int n_seeds)
{
    int n = 0;
    for (int target = 0; target < N_TARGETS; target++) {
        for (int layer = 0; layer < N_LAYERS && experiment->has_target[target]; layer++) {
            for (int seed = 0; seed < n_seeds; seed++) {
                runs[n++] = (struct run){.target = target,
                                         .layer = layer,
                                         .seed = first_seed + seed,
                                         .learning_rate = experiment->outcome[target][layer].learning_rate};
            }
        }
    }
    return n;
}

static enum status sweep(struct experiment *experiment, struct run *runs, const struct settings *settings,
                         struct progress *progress, struct error *error)
{
    double best[N_TARGETS][N_LAYERS];
    int best_rate[N_TARGETS][N_LAYERS];
    for (int rate = 0; rate < N_RATES; rate++) {
        int n = list_runs(runs, experiment, FIRST_SWEEP_SEED, N_SWEEP_SEEDS);
        for (int i = 0; i < n; i++) {
            runs[i].learning_rate = rates[rate];
        }
        enum status status = run_all(runs, n, settings, progress, error);
        if (status != STATUS_OK) {
            return status;
        }
        for (int i = 0; i < n; i += N_SWEEP_SEEDS) {
            int target = runs[i].target;
            int layer = runs[i].layer;
            double loss = 0;
            for (int seed = 0; seed < N_SWEEP_SEEDS; seed++) {
                loss += runs[i + seed].loss[N_POINTS - 1];
            }
            if (rate == 0 || loss < best[target][layer]) {
                best[target][layer] = loss;
                best_rate[target][layer] = rate;
            }
        }
    }
    for (int target = 0; target < N_TARGETS; target++) {
        for (int layer = 0; layer < N_LAYERS && experiment->has_target[target]; layer++) {
            int rate = best_rate[target][layer];
            experiment->outcome[target][layer].learning_rate = rates[rate];
            experiment->outcome[target][layer].at_edge = rate == 0 || rate == N_RATES - 1;
        }
    }
    return STATUS_OK;
}

static enum status train_seeds(struct experiment *experiment, struct run *runs,
                               const struct settings *settings, struct progress *progress,
                               struct error *error)
{
    int n = list_runs(runs, experiment, FIRST_SEED, settings->seeds);
    for (int i = 0; i < n; i++) {
        runs[i].curve = true;
    }
    enum status status = run_all(runs, n, settings, progress, error);
    for (int i = 0; i < n && status == STATUS_OK; i++) {
        struct outcome *outcome = &experiment->outcome[runs[i].target][runs[i].layer];
        for (int point = 0; point < N_POINTS; point++) {
            outcome->loss[point][runs[i].seed - FIRST_SEED] = runs[i].loss[point];
        }
    }
    return status;
}

static enum status run_into(struct experiment *experiment, const struct settings *settings,
                            struct error *error)
{
    int n_targets = 0;
    experiment->n_seeds = settings->seeds;
    for (int point = 0; point < N_POINTS; point++) {
        experiment->step_of_point[point] = run_step_of_point(point, settings->steps);
    }
    for (int target = 0; target < N_TARGETS; target++) {
        experiment->has_target[target] = settings->target == N_TARGETS || settings->target == target;
        n_targets += experiment->has_target[target];
        for (int layer = 0; layer < N_LAYERS; layer++) {
            experiment->outcome[target][layer].learning_rate = settings->learning_rate;
            experiment->outcome[target][layer].at_edge = false;
        }
    }
    bool sweeping = settings->learning_rate == 0;
    int per_layer = settings->seeds + (sweeping ? N_RATES * N_SWEEP_SEEDS : 0);
    struct progress progress = {isatty(fileno(stderr)) ? stderr : NULL, 0, n_targets * N_LAYERS * per_layer};
    int most = settings->seeds > N_SWEEP_SEEDS ? settings->seeds : N_SWEEP_SEEDS;
    size_t n_runs = (size_t)n_targets * N_LAYERS * (size_t)most;
    struct run *runs = malloc(checked_product(n_runs, sizeof *runs));
    if (runs == NULL) {
        return error_no_memory(error, "list of runs", checked_product(n_runs, sizeof *runs));
    }
    enum status status = sweeping ? sweep(experiment, runs, settings, &progress, error) : STATUS_OK;
    if (status == STATUS_OK) {
        status = train_seeds(experiment, runs, settings, &progress, error);
    }
    free(runs);
    return status;
}

enum status experiment_run(struct experiment **experiment, const struct settings *settings,
                           struct error *error)
{
    *experiment = malloc(sizeof **experiment);
    if (*experiment == NULL) {
        return error_no_memory(error, "experiment", sizeof **experiment);
    }
    enum status status = run_into(*experiment, settings, error);
    if (status != STATUS_OK) {
        free(*experiment);
        *experiment = NULL;
    }
    return status;
}

const double *experiment_final(const struct experiment *experiment, int target, int layer)
{
    return experiment->outcome[target][layer].loss[N_POINTS - 1];
}
