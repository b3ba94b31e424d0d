/* experiment.h: trains seven layers with equal parameters on the same targets and keeps their losses. */
#ifndef CHAPTER4_EXPERIMENT_H
#define CHAPTER4_EXPERIMENT_H

#include <stdbool.h>

#include "chapter4.h"
#include "common/status.h"
#include "common/train.h"
#include "run.h"
#include "statistics.h"
#include "targets.h"

enum { N_LAYERS = 7, N_RATES = 4 };
/* The layers in the order of experiment_layer. */
enum { LAYER_RELU, LAYER_GELU, LAYER_SILU, LAYER_BILINEAR, LAYER_GLU, LAYER_GEGLU, LAYER_SWIGLU };

const char *experiment_layer_name(int layer); /* "SwiGLU" */
/* Without biases; d_ff is the ungated width, a gated layer gets ffn_gated_width of it. */
struct train_layer experiment_layer(int layer, int d_model, int d_ff);

/* What one layer reached on one target. */
struct outcome {
    double learning_rate;
    bool at_edge; /* the sweep's best was its smallest or largest: a wider one might find better */
    double loss[N_POINTS]
               [MAX_RUNS]; /* on unseen samples, divided by the variance of their targets; [point][seed] */
};

struct experiment {
    int n_seeds;
    int step_of_point[N_POINTS];
    bool has_target[N_TARGETS];
    struct outcome outcome[N_TARGETS][N_LAYERS];
};

/* Trains every layer on every asked-for target and seed. The learning rate is chosen on seeds that are not among those
 * reported. Runs are spread over threads; each is computed by one, so that their number changes nothing. Shows a progress
 * bar on stderr when that is a terminal.
 *
 * *experiment  the caller frees it; NULL after an error
 * errors: STATUS_NO_MEMORY */
enum status experiment_run(struct experiment **experiment, const struct settings *settings,
                           struct error *error);

/* The losses after the last step, one per seed. */
const double *experiment_final(const struct experiment *experiment, int target, int layer);

#endif
