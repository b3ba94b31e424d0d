/* faults.c: see faults.h. */
#include "faults.h"

#include <stdlib.h>
#include <string.h>

static const struct fault nothing[] = {{"none", "the model as it was trained", NULL, NULL, NULL},
                                       {NULL, NULL, NULL, NULL, NULL}};

const struct fault *fault_at(int i)
{
    const struct fault *const groups[] = {nothing, faults_of_rotation, faults_of_the_layer};
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        for (const struct fault *fault = groups[g]; fault->name != NULL; fault++) {
            if (i-- == 0) {
                return fault;
            }
        }
    }
    return NULL;
}

static void call_fault(void *context, const char *operation, int layer, float *values, int n_rows, int n_cols,
                       size_t stride)
{
    struct broken *b = context;
    const struct fault *fault = b->place.fault;
    bool means = fault->means != NULL && strcmp(operation, fault->means) == 0;
    if (means) {
        hook_call(b->watcher, operation, layer, values, n_rows, n_cols, stride);
    }
    if (fault->change != NULL && (b->place.layer == EVERY_LAYER || b->place.layer == layer)) {
        fault->change(b, operation, layer, values, n_rows, n_cols, stride);
    }
    if (!means) {
        hook_call(b->watcher, operation, layer, values, n_rows, n_cols, stride);
    }
}

void broken_watch(struct broken *b, const struct hook *watcher)
{
    b->watcher = watcher;
    b->hook.attention_weights = watcher->attention_weights;
    b->reader.hook = &b->hook;
}

/* Every other layer gets the trained weights back. */
static void keep_to_layer(struct broken *b, const struct qwen2 *model)
{
    for (int i = 0; i < model->config.n_layers && b->place.layer != EVERY_LAYER; i++) {
        if (i != b->place.layer) {
            b->model.layers[i] = model->layers[i];
        }
    }
}

enum status broken_init(struct broken *b, const struct qwen2 *model, struct fault_place place, int max_tokens,
                        int capacity, struct error *error)
{
    size_t bytes = (size_t)model->config.n_layers * sizeof *model->layers;
    *b = (struct broken){.place = place, .model = *model};
    b->model.layers = malloc(bytes);
    if (b->model.layers == NULL) {
        return error_no_memory(error, "layers", bytes);
    }
    memcpy(b->model.layers, model->layers, bytes);
    enum status status = reader_init(&b->reader, &b->model, max_tokens, capacity, error);
    if (status == STATUS_OK) { /* one row more, for a position that is one too high; later passes add none */
        status = rope_table_reserve(&b->reader.run.rope, capacity + 1, error);
    }
    if (status == STATUS_OK && place.fault->prepare != NULL) {
        status = place.fault->prepare(b, error);
        keep_to_layer(b, model);
    }
    b->hook = (struct hook){.call = call_fault, .context = b};
    b->reader.hook = place.fault->change != NULL ? &b->hook : NULL;
    if (status != STATUS_OK) {
        broken_free(b);
    }
    return status;
}

void broken_free(struct broken *b)
{
    reader_free(&b->reader);
    rope_table_free(&b->backwards);
    free(b->mask);
    free(b->norm_input);
    free(b->model.layers); /* the weights belong to the trained model */
    *b = (struct broken){.watcher = NULL};
}
