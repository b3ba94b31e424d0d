#include "run.h"

#include <stdlib.h>

#include "common/adam.h"
#include "common/rng.h"
#include "common/train.h"
#include "experiment.h"
#include "targets.h"

enum { N_TEST = 256 };

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

int run_step_of_point(int point, int steps)
{
    return (int)((long long)steps * point / (N_POINTS - 1));
}

void run_training(struct run *run, const struct settings *settings)
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
        for (; point < N_POINTS && run_step_of_point(point, settings->steps) == step; point++) {
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
