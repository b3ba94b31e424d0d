/* Steps 7 and 8: the encoding as a layer of a network, and what lies beyond the positions it was trained on. */
#include <math.h>
#include <stdlib.h>

#include "chapters/01-sinusoidal-pe/steps.h"
#include "common/dropout.h"
#include "common/rng.h"
#include "common/sinusoidal.h"

static const double two_pi = 6.283185307179586;

enum { SEQ_LEN = 16, BATCH = 4, LEARNED_ROWS = 2048, ASKED_ROW = 3000, FAR_ROW = 100000 };

/* ---- Step 7 ---- */

static double mean(const float *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (double)x[i];
    }
    return sum / (double)n;
}

static double share_of_zeros(const float *x, size_t n)
{
    size_t zeros = 0;
    for (size_t i = 0; i < n; i++) {
        zeros += x[i] == 0.0f;
    }
    return (double)zeros / (double)n;
}

/* The first elements of position 1 of sequence 0. */
static void print_elements(FILE *out, const char *what, const float *x, int d_model)
{
    fprintf(out, "     %-22s", what);
    for (int i = 0; i < 5 && i < d_model; i++) {
        fprintf(out, " %9.4f", (double)x[i]);
    }
    fputc('\n', out);
}

static enum status show_layer(const struct settings *s, float *x, size_t n, FILE *out, struct error *error)
{
    struct sinusoidal encoding;
    struct rng rng;
    const float *shown = x + (size_t)BATCH * (size_t)s->d_model;
    rng_init(&rng, s->seed);
    rng_fill_normal(&rng, x, n, 1.0);
    print_elements(out, "embedding", shown, s->d_model);
    enum status status = sinusoidal_init(&encoding, s->d_model, s->max_len, s->base, error);
    if (status != STATUS_OK) {
        return status;
    }
    print_elements(out, "row of position 1", encoding.table + s->d_model, s->d_model);
    status = sinusoidal_add(x, &encoding, SEQ_LEN, BATCH, error);
    sinusoidal_free(&encoding);
    if (status != STATUS_OK) {
        return status;
    }
    print_elements(out, "sum", shown, s->d_model);
    double before = mean(x, n);
    dropout_apply(x, n, s->dropout, NULL);
    print_elements(out, "dropout, inference", shown, s->d_model);
    dropout_apply(x, n, s->dropout, &rng);
    print_elements(out, "dropout, training", shown, s->d_model);
    fprintf(out,
            "\n   In training %.1f%% of the %zu elements are 0 and the rest is multiplied by\n"
            "   1/(1-p) = %.4f, so the mean stays but for chance: %.4f before, %.4f\n"
            "   after. At inference nothing is left to do.\n",
            100 * share_of_zeros(x, n), n, 1.0 / (1.0 - s->dropout), before, mean(x, n));
    return STATUS_OK;
}

enum status step_layer(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    size_t n = (size_t)SEQ_LEN * BATCH * (size_t)s->d_model;
    float *x = malloc(checked_product(n, sizeof *x));
    if (x == NULL) {
        return error_no_memory(error, "embeddings", checked_product(n, sizeof *x));
    }
    fprintf(out, "   x [seq_len %d, batch %d, d_model %d]; position 1 of the first sequence:\n\n", SEQ_LEN,
            BATCH, s->d_model);
    enum status status = show_layer(s, x, n, out, error);
    free(x);
    return status;
}

/* ---- Step 8 ---- */

/* What a learned encoding does: it looks the row up among those it has trained. */
static enum status learned_row(const float **row, const float *rows, int n_rows, int d_model, int position,
                               struct error *error)
{
    if (position < 0 || position >= n_rows) {
        return error_set(error, STATUS_LIMIT, "position %d: the learned table has rows 0 to %d", position,
                         n_rows - 1);
    }
    *row = rows + (size_t)position * (size_t)d_model;
    return STATUS_OK;
}

static int pairs_below_one_turn(const struct settings *s, int length)
{
    int n = 0;
    for (int pair = 0; pair < sinusoidal_pairs(s->d_model); pair++) {
        n += sinusoidal_frequency(pair, s->d_model, s->base) * length < two_pi;
    }
    return n;
}

static enum status show_rows(const struct settings *s, FILE *out, struct error *error)
{
    double *row = malloc((size_t)s->d_model * sizeof *row);
    float *rows = calloc((size_t)LEARNED_ROWS, (size_t)s->d_model * sizeof *rows);
    if (row == NULL || rows == NULL) {
        free(row);
        free(rows);
        return error_no_memory(error, "learned table",
                               checked_product((size_t)LEARNED_ROWS, (size_t)s->d_model * sizeof *rows));
    }
    const float *found = NULL;
    struct error refused = {STATUS_OK, "found"};
    learned_row(&found, rows, LEARNED_ROWS, s->d_model, ASKED_ROW, &refused);
    sinusoidal_row(row, FAR_ROW, s->d_model, s->base);
    fprintf(out,
            "     learned, %d rows   %s\n"
            "     formula              position %d: %.4f %.4f ...\n",
            LEARNED_ROWS, refused.message, FAR_ROW, row[0], row[1]);
    free(row);
    free(rows);
    return STATUS_OK;
}

enum status step_extrapolation(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    int n_pairs = sinusoidal_pairs(s->d_model);
    enum status status = show_rows(s, out, error);
    if (status != STATUS_OK) {
        return status;
    }
    fputs("\n   \"Can be computed\" is not \"has been seen\". Pairs that do not make one turn\n"
          "   within the training length show, beyond it, angles that no weight ever met:\n\n",
          out);
    int lengths[] = {512, 2048, s->max_len, 100000};
    for (int i = 0; i < 4; i++) {
        if (i == 2 && (s->max_len == 512 || s->max_len == 2048)) {
            continue;
        }
        fprintf(out, "     trained on %6d positions: %4d of %d pairs below one turn\n", lengths[i],
                pairs_below_one_turn(s, lengths[i]), n_pairs);
    }
    double slowest = sinusoidal_frequency(n_pairs - 1, s->d_model, s->base);
    fprintf(out,
            "\n   Within %d positions the slowest pair turns %.4g of %.4g radians; twice\n"
            "   as far out, %.4g. Whether a model copes is a matter of measurement\n"
            "   (chapter 6, --positions); the formula cannot say.\n",
            s->max_len, slowest * s->max_len, two_pi, 2 * slowest * s->max_len);
    return STATUS_OK;
}
