/* Step 7: backpropagation against finite differences. */
#include <stdlib.h>

#include "chapter4.h"
#include "common/rng.h"
#include "experiment.h"

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
