#include "experiment.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/adam.h"
#include "common/ffn.h"
#include "common/matmul.h"
#include "common/require.h"

enum { N_TEST = 256, N_SWEEP_SEEDS = 2, FIRST_SWEEP_SEED = 1000, FIRST_SEED = 1 };

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

/* One training from random weights to the last step. */
struct run {
    int target, layer, seed;
    double learning_rate;
    double loss[N_POINTS]; /* only the last one is set unless curve */
    bool curve;
    bool no_memory;
};

/* The arrays of a run, in one piece of memory. */
struct buffers {
    double *memory, *parameters, *gradients, *moments, *x, *y, *test_x, *test_y, *scratch;
};

static bool buffers_init(struct buffers *buffers, const struct train_layer *layer)
{
    size_t n = train_n_parameters(layer);
    size_t d_model = (size_t)layer->d_in;
    size_t scratch = train_scratch_size(layer, N_TEST);
    size_t total = 4 * n + 2 * BATCH * d_model + 2 * N_TEST * d_model + scratch;
    double *next = malloc(checked_product(total, sizeof *next));
    buffers->memory = next;
    if (next == NULL) {
        return false;
    }
    buffers->parameters = next;
    buffers->gradients = next += n;
    buffers->moments = next += n;
    buffers->x = next += 2 * n;
    buffers->y = next += BATCH * d_model;
    buffers->test_x = next += BATCH * d_model;
    buffers->test_y = next += N_TEST * d_model;
    buffers->scratch = next + N_TEST * d_model;
    return true;
}

static double variance(const double *y, size_t n)
{
    double mean = 0;
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        mean += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        squares += (y[i] - mean) * (y[i] - mean);
    }
    return squares / (double)n;
}

static int step_of_point(int point, int steps)
{
    return (int)((long long)steps * point / (N_POINTS - 1));
}

static void run_training(struct run *run, const struct settings *settings)
{
    const struct train_layer layer = experiment_layer(run->layer, settings->d_model, settings->d_ff);
    const struct target *target = target_at(run->target);
    size_t n = train_n_parameters(&layer);
    struct buffers b;
    if (!buffers_init(&b, &layer)) {
        run->no_memory = true;
        return;
    }
    struct rng weights;
    struct rng samples; /* a stream of its own: layers of other sizes still get the same samples */
    rng_init(&weights, 2 * (uint64_t)run->seed);
    rng_init(&samples, 2 * (uint64_t)run->seed + 1);
    train_init(&layer, b.parameters, &weights);
    target_draw(b.test_x, b.test_y, target, N_TEST, settings->d_model, &samples);
    double scale = 1 / variance(b.test_y, N_TEST * (size_t)settings->d_model);
    struct adam adam;
    adam_init(&adam, run->learning_rate, b.moments, n);
    for (int step = 0, point = 0;; step++) {
        for (; point < N_POINTS && step_of_point(point, settings->steps) == step; point++) {
            if (run->curve || point == N_POINTS - 1) {
                run->loss[point] =
                    scale * train_loss(&layer, b.parameters, b.test_x, b.test_y, N_TEST, b.scratch);
            }
        }
        if (step == settings->steps) {
            break;
        }
        adam.learning_rate = run->learning_rate * (1 - (double)step / settings->steps);
        target_draw(b.x, b.y, target, BATCH, settings->d_model, &samples);
        train_gradients(b.gradients, &layer, b.parameters, b.x, b.y, BATCH, b.scratch);
        adam_step(&adam, b.parameters, b.gradients);
    }
    free(b.memory);
}

/* ---- many runs ---------------------------------------------------------------------------------------------------- */

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
#pragma omp parallel for schedule(dynamic) num_threads(matmul_threads())
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

enum status experiment_run(struct experiment *experiment, const struct settings *settings,
                           struct error *error)
{
    int n_targets = 0;
    experiment->n_seeds = settings->seeds;
    for (int point = 0; point < N_POINTS; point++) {
        experiment->step_of_point[point] = step_of_point(point, settings->steps);
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
    size_t n_runs = (size_t)(n_targets * N_LAYERS * most);
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
