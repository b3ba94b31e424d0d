#include "common/sinusoidal.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "common/require.h"

int sinusoidal_pairs(int d_model)
{
    return d_model / 2 + d_model % 2;
}

double sinusoidal_frequency(int pair, int d_model, double base)
{
    REQUIRE(pair >= 0 && pair < sinusoidal_pairs(d_model) && base > 0.0);
    return pow(base, -2.0 * pair / d_model);
}

/* The one or two elements of a pair; an odd d_model has no room for the last cosine. */
static void encode_pair(double *row, int pair, double angle, int d_model)
{
    row[2 * pair] = sin(angle);
    if (2 * pair + 1 < d_model) {
        row[2 * pair + 1] = cos(angle);
    }
}

void sinusoidal_row(double *row, double position, int d_model, double base)
{
    REQUIRE(d_model >= 1 && isfinite(position));
    for (int i = 0; i < sinusoidal_pairs(d_model); i++) {
        encode_pair(row, i, position * sinusoidal_frequency(i, d_model, base), d_model);
    }
}

enum status sinusoidal_init(struct sinusoidal *encoding, int d_model, int max_len, double base,
                            struct error *error)
{
    REQUIRE(d_model >= 1 && max_len >= 1 && base > 0.0);
    *encoding = (struct sinusoidal){d_model, max_len, NULL};
    size_t n = (size_t)d_model;
    size_t bytes = checked_product(checked_product((size_t)max_len, n), sizeof(float));
    double *row = calloc(n, sizeof *row);
    encoding->table = malloc(bytes);
    if (row == NULL || encoding->table == NULL) {
        free(row);
        sinusoidal_free(encoding);
        return error_no_memory(error, "sinusoidal table", bytes);
    }
    for (int position = 0; position < max_len; position++) {
        sinusoidal_row(row, position, d_model, base);
        for (size_t i = 0; i < n; i++) {
            encoding->table[(size_t)position * n + i] = (float)row[i];
        }
    }
    free(row);
    return STATUS_OK;
}

void sinusoidal_free(struct sinusoidal *encoding)
{
    free(encoding->table);
    encoding->table = NULL;
}

enum status sinusoidal_add(float *x, const struct sinusoidal *encoding, int seq_len, int batch,
                           struct error *error)
{
    REQUIRE(seq_len >= 0 && batch >= 0);
    if (seq_len > encoding->max_len) {
        return error_set(error, STATUS_LIMIT, "a sequence of %d tokens: the table has rows for %d", seq_len,
                         encoding->max_len);
    }
    size_t n = (size_t)encoding->d_model;
    for (int position = 0; position < seq_len; position++) {
        const float *row = encoding->table + (size_t)position * n;
        for (int b = 0; b < batch; b++) {
            for (size_t i = 0; i < n; i++) {
                x[i] += row[i];
            }
            x += n;
        }
    }
    return STATUS_OK;
}
