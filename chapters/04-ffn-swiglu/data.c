/* The data sets of the experiment. */
#include <math.h>
#include <stdlib.h>

#include "chapter4.h"
#include "experiment.h"

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
    enum status status = experiment_run(&experiment, settings, error);
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
    enum status status = experiment_run(&experiment, settings, error);
    if (status != STATUS_OK) {
        return status;
    }
    for (int target = 0; target < N_TARGETS; target++) {
        for (int layer = 0; layer < N_LAYERS && experiment->has_target[target]; layer++) {
            const struct train_layer shape = experiment_layer(layer, s->d_model, s->d_ff);
            struct interval loss =
                interval_of(experiment_final(experiment, target, layer), experiment->n_seeds);
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
