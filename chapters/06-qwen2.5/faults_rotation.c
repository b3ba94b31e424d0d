/* faults_rotation.c: mistakes with the rotation and with positions. */
#include <string.h>

#include "faults.h"

static bool is(const char *operation, const char *name)
{
    return strcmp(operation, name) == 0;
}

static enum status no_rotation(struct broken *b, struct error *error)
{
    struct rope_table *rope = &b->reader.run.rope;
    size_t n = (size_t)rope->n_positions * (size_t)(rope->head_dim / 2);
    (void)error;
    for (size_t i = 0; i < n; i++) {
        rope->cosine[i] = 1;
        rope->sine[i] = 0;
    }
    return STATUS_OK;
}

static enum status theta_10000(struct broken *b, struct error *error)
{
    struct rope_table *rope = &b->reader.run.rope;
    int n_positions = rope->n_positions;
    int head_dim = rope->head_dim;
    rope_table_free(rope);
    return rope_table_init(rope, head_dim, 1e4, n_positions, error);
}

static enum status interleaved_pairs(struct broken *b, struct error *error)
{
    (void)error;
    b->model.block.rope_layout = ROPE_INTERLEAVED;
    return STATUS_OK;
}

static void rotate_again(const struct broken *b, const struct rope_table *table, float *values, int n_rows,
                         int n_cols, size_t stride)
{
    int head_dim = b->model.block.head_dim;
    rope_apply(values, b->model.block.rope_layout, table, b->reader.position, n_rows, n_cols / head_dim,
               stride, (size_t)head_dim);
}

static void keys_rotated_twice(struct broken *b, const char *operation, int layer, float *values, int n_rows,
                               int n_cols, size_t stride)
{
    (void)layer;
    if (is(operation, "k_rotated")) {
        rotate_again(b, &b->reader.run.rope, values, n_rows, n_cols, stride);
    }
}

static void v_rotated_too(struct broken *b, const char *operation, int layer, float *values, int n_rows,
                          int n_cols, size_t stride)
{
    (void)layer;
    if (is(operation, "v_proj")) {
        rotate_again(b, &b->reader.run.rope, values, n_rows, n_cols, stride);
    }
}

static enum status table_backwards(struct broken *b, struct error *error)
{
    const struct rope_table *rope = &b->reader.run.rope;
    enum status status =
        rope_table_init(&b->backwards, rope->head_dim, rope->theta, rope->n_positions, error);
    size_t n = (size_t)b->backwards.n_positions * (size_t)(rope->head_dim / 2);
    for (size_t i = 0; status == STATUS_OK && i < n; i++) {
        b->backwards.sine[i] = -b->backwards.sine[i];
    }
    return status;
}

static void keys_backwards(struct broken *b, const char *operation, int layer, float *values, int n_rows,
                           int n_cols, size_t stride)
{
    (void)layer;
    if (is(operation, "k_rotated")) { /* forwards once, backwards twice */
        rotate_again(b, &b->backwards, values, n_rows, n_cols, stride);
        rotate_again(b, &b->backwards, values, n_rows, n_cols, stride);
    }
}

static enum status decode_one_too_high(struct broken *b, struct error *error)
{
    (void)error;
    b->reader.shift = 1;
    return STATUS_OK;
}

const struct fault faults_of_rotation[] = {
    {"no_rotation", "every position looks like position 0", no_rotation, NULL, NULL},
    {"interleaved_pairs", "the other pair layout", interleaved_pairs, NULL, NULL},
    {"keys_rotated_twice", "once too often, as from a cache", NULL, keys_rotated_twice, NULL},
    {"rotated_backwards_keys_only", "the sign of the angle", table_backwards, keys_backwards, NULL},
    {"v_rotated_too", "V must not know its position", NULL, v_rotated_too, NULL},
    {"theta_10000", "the base of another model", theta_10000, NULL, NULL},
    {"decode_positions_off_by_one", "all but the first one too high", decode_one_too_high, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

/* ---- As hooks, for one layer: undone, then done wrongly ---- */

static bool rotated(const char *operation)
{
    return is(operation, "q_rotated") || is(operation, "k_rotated");
}

static void undo_rotation(struct broken *b, const char *operation, int layer, float *values, int n_rows,
                          int n_cols, size_t stride)
{
    (void)layer;
    if (rotated(operation)) {
        rotate_again(b, &b->backwards, values, n_rows, n_cols, stride);
    }
}

static void rotate_other_pairs(struct broken *b, const char *operation, int layer, float *values, int n_rows,
                               int n_cols, size_t stride)
{
    int head_dim = b->model.block.head_dim;
    undo_rotation(b, operation, layer, values, n_rows, n_cols, stride);
    if (rotated(operation)) {
        rope_apply(values, ROPE_INTERLEAVED, &b->reader.run.rope, b->reader.position, n_rows,
                   n_cols / head_dim, stride, (size_t)head_dim);
    }
}

/* A single token after the first is what a decode step brings. */
static void decode_turns_on(struct broken *b, const char *operation, int layer, float *values, int n_rows,
                            int n_cols, size_t stride)
{
    static const int32_t one = 1;
    int head_dim = b->model.block.head_dim;
    (void)layer;
    if (rotated(operation) && n_rows == 1 && b->reader.position[0] > 0) {
        rope_apply(values, b->model.block.rope_layout, &b->reader.run.rope, &one, 1, n_cols / head_dim,
                   stride, (size_t)head_dim);
    }
}

const struct fault faults_of_mysteries[] = {
    {"no_rotation", "every position looks like position 0", table_backwards, undo_rotation, NULL},
    {"interleaved_pairs", "the other pair layout", table_backwards, rotate_other_pairs, NULL},
    {"decode_alone_one_too_high", "right in prefill", NULL, decode_turns_on, NULL},
    {NULL, NULL, NULL, NULL, NULL}};
