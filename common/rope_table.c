#include "common/rope_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/require.h"

/* ---- Angles ---- */

void rope_inv_freq(double *inv_freq, int head_dim, double theta)
{
    REQUIRE(head_dim > 0 && head_dim % 2 == 0);
    REQUIRE(theta > 0.0);
    for (int i = 0; i < head_dim / 2; i++) {
        inv_freq[i] = pow(theta, -2.0 * i / head_dim);
    }
}

void rope_angles(double *cosine, double *sine, const double *inv_freq, int n_pairs, double position)
{
    for (int i = 0; i < n_pairs; i++) {
        double angle = position * inv_freq[i];
        cosine[i] = cos(angle);
        sine[i] = sin(angle);
    }
}

/* ---- The table ---- */

enum status rope_table_init(struct rope_table *table, int head_dim, double theta, int n_positions,
                            struct error *error)
{
    REQUIRE(head_dim > 0 && head_dim % 2 == 0);
    REQUIRE(theta > 0.0);
    REQUIRE(n_positions >= 0);
    *table = (struct rope_table){.head_dim = head_dim, .theta = theta};
    size_t bytes = checked_product((size_t)head_dim / 2, sizeof *table->inv_freq);
    table->inv_freq = calloc((size_t)head_dim / 2, sizeof *table->inv_freq);
    if (table->inv_freq == NULL) {
        return error_no_memory(error, "RoPE frequencies", bytes);
    }
    rope_inv_freq(table->inv_freq, head_dim, theta);
    enum status status = rope_table_reserve(table, n_positions, error);
    if (status != STATUS_OK) {
        rope_table_free(table);
    }
    return status;
}

static void fill_row(struct rope_table *table, int position)
{
    size_t half = (size_t)table->head_dim / 2;
    float *cosine = table->cosine + (size_t)position * half;
    float *sine = table->sine + (size_t)position * half;
    for (size_t i = 0; i < half; i++) {
        double c, s;
        rope_angles(&c, &s, &table->inv_freq[i], 1, position);
        cosine[i] = (float)c;
        sine[i] = (float)s;
    }
}

enum status rope_table_reserve(struct rope_table *table, int n_positions, struct error *error)
{
    if (n_positions <= table->n_positions) {
        return STATUS_OK;
    }
    size_t row_bytes = checked_product((size_t)table->head_dim / 2, sizeof(float));
    size_t bytes = checked_product((size_t)n_positions, row_bytes);
    /* Both halves are obtained before either is touched: a failure leaves the table whole. */
    float *cosine = malloc(bytes);
    float *sine = malloc(bytes);
    if (cosine == NULL || sine == NULL) {
        free(cosine);
        free(sine);
        return error_no_memory(error, "RoPE table", bytes);
    }
    if (table->n_positions > 0) {
        memcpy(cosine, table->cosine, (size_t)table->n_positions * row_bytes);
        memcpy(sine, table->sine, (size_t)table->n_positions * row_bytes);
    }
    free(table->cosine);
    free(table->sine);
    table->cosine = cosine;
    table->sine = sine;
    for (int position = table->n_positions; position < n_positions; position++) {
        fill_row(table, position);
    }
    table->n_positions = n_positions;
    return STATUS_OK;
}

void rope_table_free(struct rope_table *table)
{
    free(table->inv_freq);
    free(table->cosine);
    free(table->sine);
    *table = (struct rope_table){0};
}
