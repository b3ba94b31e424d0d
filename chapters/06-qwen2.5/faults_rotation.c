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
    {"no_rotation", "every position looks like position 0", no_rotation, NULL},
    {"interleaved_pairs", "the other pair layout", interleaved_pairs, NULL},
    {"keys_rotated_twice", "once too often, as from a cache", NULL, keys_rotated_twice},
    {"rotated_backwards_keys_only", "the sign of the angle", table_backwards, keys_backwards},
    {"v_rotated_too", "V must not know its position", NULL, v_rotated_too},
    {"theta_10000", "the base of another model", theta_10000, NULL},
    {"decode_positions_off_by_one", "all but the first one too high", decode_one_too_high, NULL},
    {NULL, NULL, NULL, NULL}};
