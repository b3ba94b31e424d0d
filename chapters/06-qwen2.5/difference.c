/* difference.c: see difference.h. */
#include "difference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct watch {
    struct difference *difference;
    int head_dim;
    float *healthy; /* the values of all operations, one after another */
    size_t n_healthy, capacity;
    size_t next;  /* of them, while the broken model is compared */
    bool no_room; /* a hook has no way to report it at once */
};

static double sum_of_squares(const float *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += (double)x[i] * (double)x[i];
    }
    return sum;
}

/* to[…] = the norm of the last token, where the operation is one of the residual stream's. */
static void note_norm(double *to, const char *operation, int layer, const float *values, int n_rows,
                      int n_cols, size_t stride)
{
    if (strcmp(operation, "embed_tokens") == 0 || strcmp(operation, "output") == 0 ||
        strcmp(operation, "norm") == 0) {
        to[layer + 1] = sqrt(sum_of_squares(values + (size_t)(n_rows - 1) * stride, n_cols));
    }
}

static void keep_healthy(void *context, const char *operation, int layer, float *values, int n_rows,
                         int n_cols, size_t stride)
{
    struct watch *w = context;
    size_t n = (size_t)n_rows * (size_t)n_cols;
    note_norm(w->difference->healthy_norm, operation, layer, values, n_rows, n_cols, stride);
    if (w->no_room) {
        return;
    }
    if (n > w->capacity - w->n_healthy) {
        size_t capacity = 2 * w->capacity + n;
        float *larger = realloc(w->healthy, checked_product(capacity, sizeof *larger));
        if (larger == NULL) {
            w->no_room = true;
            return;
        }
        w->healthy = larger;
        w->capacity = capacity;
    }
    for (int r = 0; r < n_rows; r++) {
        memcpy(w->healthy + w->n_healthy, values + (size_t)r * stride, (size_t)n_cols * sizeof *values);
        w->n_healthy += (size_t)n_cols;
    }
}

/* Elements 0 and head_dim/2 of a row are the first pair of head 0. */
static void measure_turns(struct difference *d, const float *values, const float *healthy, int n_rows,
                          int n_cols, size_t stride, int head_dim)
{
    d->n_turns = n_rows < DIFFERENCE_TURNS ? n_rows : DIFFERENCE_TURNS;
    for (int t = 0; t < d->n_turns; t++) {
        const float *x = values + (size_t)t * stride;
        const float *y = healthy + (size_t)t * (size_t)n_cols;
        double x0 = (double)x[0];
        double x1 = (double)x[head_dim / 2];
        double y0 = (double)y[0];
        double y1 = (double)y[head_dim / 2];
        d->pair_length[t] = hypot(x0, x1) / hypot(y0, y1);
        d->pair_angle[t] = atan2(x1 * y0 - x0 * y1, x0 * y0 + x1 * y1);
    }
}

static bool has_heads(const char *operation)
{
    return operation[0] != '\0' && strchr("qkv", operation[0]) != NULL && operation[1] == '_';
}

static void describe(struct difference *d, const float *values, const float *healthy, int n_rows, int n_cols,
                     size_t stride)
{
    double sum = 0;
    for (int r = 0; r < n_rows; r++) {
        const float *x = values + (size_t)r * stride;
        const float *y = healthy + (size_t)r * (size_t)n_cols;
        sum += sum_of_squares(x, n_cols);
        for (int i = 0; i < n_cols; i++) {
            double difference = fabs((double)x[i] - (double)y[i]);
            d->largest = difference <= d->largest ? d->largest : difference;
        }
    }
    d->length = sqrt(sum / sum_of_squares(healthy, n_rows * n_cols));
}

static void compare(void *context, const char *operation, int layer, float *values, int n_rows, int n_cols,
                    size_t stride)
{
    struct watch *w = context;
    struct difference *d = w->difference;
    const float *healthy = w->healthy + w->next;
    w->next += (size_t)n_rows * (size_t)n_cols;
    note_norm(d->norm, operation, layer, values, n_rows, n_cols, stride);
    for (int r = 0; r < n_rows && !d->found; r++) {
        for (int i = 0; i < n_cols && !d->found; i++) {
            d->found =
                !(values[(size_t)r * stride + (size_t)i] == healthy[(size_t)r * (size_t)n_cols + (size_t)i]);
        }
        if (d->found) {
            snprintf(d->operation, sizeof d->operation, "%s", operation);
            d->layer = layer;
            d->first_token = r;
            describe(d, values, healthy, n_rows, n_cols, stride);
            if (has_heads(operation)) {
                measure_turns(d, values, healthy, n_rows, n_cols, stride, w->head_dim);
            }
        }
    }
}

static enum status read_with(const struct session *session, struct fault_place place, int n, struct hook hook,
                             struct error *error)
{
    struct broken broken;
    enum status status = broken_init(&broken, &session->model, place, n, n, error);
    if (status == STATUS_OK) {
        broken_watch(&broken, &hook);
        status = reader_read(&broken.reader, session->prompt.id, n, NULL, NULL, error);
        broken_free(&broken);
    }
    return status;
}

enum status difference_measure(struct difference *d, const struct session *session, struct error *error)
{
    const struct fault_place none = {fault_at(0), EVERY_LAYER};
    size_t n_norms = (size_t)session->model.config.n_layers + 2;
    struct watch watch = {.difference = d, .head_dim = session->model.block.head_dim};
    *d = (struct difference){.n_tokens = session->prompt.n < DIFFERENCE_TOKENS ? (int)session->prompt.n
                                                                               : DIFFERENCE_TOKENS};
    d->healthy_norm = calloc(2 * n_norms, sizeof *d->healthy_norm);
    if (d->healthy_norm == NULL) {
        return error_no_memory(error, "norms", 2 * n_norms * sizeof *d->healthy_norm);
    }
    d->norm = d->healthy_norm + n_norms;
    enum status status =
        read_with(session, none, d->n_tokens, (struct hook){keep_healthy, &watch, false}, error);
    if (status == STATUS_OK && watch.no_room) {
        status = error_no_memory(error, "values", checked_product(watch.n_healthy, sizeof *watch.healthy));
    }
    if (status == STATUS_OK) {
        status =
            read_with(session, session->fault, d->n_tokens, (struct hook){compare, &watch, false}, error);
    }
    free(watch.healthy);
    return status;
}

void difference_free(struct difference *d)
{
    free(d->healthy_norm);
    *d = (struct difference){.found = false};
}
