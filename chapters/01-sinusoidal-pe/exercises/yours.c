/* make chapter1-yours && ./chapter1-yours: the walk-through's checks with your functions beside the project's.
 *
 * Each check is written once, for a struct of functions; it is run with yours and with the project's. */
#include <math.h>
#include <string.h>

#include "../../yours.h"
#include "common/dropout.h"
#include "common/rng.h"
#include "common/sinusoidal.h"
#include "exercises.h"

enum { D_MODEL = 64, SEQ_LEN = 16, BATCH = 4, N = SEQ_LEN * BATCH * D_MODEL };

struct functions {
    void (*encode_positions)(double *rows, const int *positions, int n, int d_model);
    void (*four_terms)(double *terms, const double *query, const double *key, const double *a, int d);
    void (*row_after)(double *row, int position, int k, int d_model); /* the row of position + k */
    void (*add_encoding)(float *x, const float *encoding, int seq_len, int batch, int d_model);
    void (*dropout)(float *x, int n, float rate, int training); /* the masks of seed 1 */
};

/* ---- Your side, where a check needs more than the exercise's function ---- */

static void your_row_after(double *row, int position, int k, int d_model)
{
    sinusoidal_row(row, position, d_model, 1e4);
    move_on(row, k, d_model);
}

static void your_dropout(float *x, int n, float rate, int training)
{
    static float before[N], u[N];
    struct rng rng;
    rng_init(&rng, 1);
    for (int i = 0; i < n; i++) {
        before[i] = x[i];
        u[i] = (float)rng_uniform(&rng);
    }
    drop_out(x, before, u, n, rate, training);
}

/* ---- The project's side, behind the same signatures ---- */

static void project_rows(double *rows, const int *positions, int n, int d_model)
{
    for (int r = 0; r < n; r++) {
        sinusoidal_row(rows + r * d_model, positions[r], d_model, 1e4);
    }
}

/* terms[2 u + v] = (row u of query) A (row v of key): the vector x A first. */
static void project_terms(double *terms, const double *query, const double *key, const double *a, int d)
{
    for (int u = 0; u < 2; u++) {
        terms[2 * u] = terms[2 * u + 1] = 0;
        for (int j = 0; j < d; j++) {
            double through = 0;
            for (int i = 0; i < d; i++) {
                through += query[u * d + i] * a[i * d + j];
            }
            terms[2 * u] += through * key[j];
            terms[2 * u + 1] += through * key[d + j];
        }
    }
}

static void project_row_after(double *row, int position, int k, int d_model)
{
    sinusoidal_row(row, position + k, d_model, 1e4);
}

static void project_add(float *x, const float *encoding, int seq_len, int batch, int d_model)
{
    float table[SEQ_LEN * D_MODEL];
    memcpy(table, encoding, sizeof table);
    const struct sinusoidal layer = {d_model, SEQ_LEN, table};
    struct error error;
    sinusoidal_add(x, &layer, seq_len, batch, &error);
}

static void project_dropout(float *x, int n, float rate, int training)
{
    struct rng rng;
    rng_init(&rng, 1);
    dropout_apply(x, (size_t)n, (double)rate, training ? &rng : NULL);
}

/* ---- The checks ---- */

static double element_of(const struct functions *f, int position, int element)
{
    double rows[2 * D_MODEL];
    f->encode_positions(rows, (int[]){1, position}, 2, D_MODEL);
    return rows[D_MODEL + element];
}

static double row_near(const void *functions)
{
    return element_of(functions, 3, 1);
}

static double row_far(const void *functions)
{
    return element_of(functions, 4999, D_MODEL - 2);
}

static double product_of_rows(const struct functions *f, int p)
{
    double rows[2 * D_MODEL], sum = 0;
    f->encode_positions(rows, (int[]){p, p + 10}, 2, D_MODEL);
    for (int j = 0; j < D_MODEL; j++) {
        sum += rows[j] * rows[D_MODEL + j];
    }
    return sum;
}

static double product_first(const void *functions)
{
    return product_of_rows(functions, 0);
}

static double product_last(const void *functions)
{
    return product_of_rows(functions, 4989);
}

/* The term of position with position, query at p + 3, key at p; contents are 0. */
static double position_term(const struct functions *f, int p, int projected)
{
    static double a[D_MODEL * D_MODEL];
    double query[2 * D_MODEL] = {0}, key[2 * D_MODEL] = {0}, terms[4];
    for (int i = 0; i < D_MODEL; i++) {
        for (int j = 0; j < D_MODEL; j++) {
            a[i * D_MODEL + j] = projected ? sin(1.3 * i + 2.1 * j) / 8 : i == j;
        }
    }
    sinusoidal_row(query + D_MODEL, p + 3, D_MODEL, 1e4);
    sinusoidal_row(key + D_MODEL, p, D_MODEL, 1e4);
    f->four_terms(terms, query, key, a, D_MODEL);
    return terms[3];
}

static double plain_near(const void *functions)
{
    return position_term(functions, 0, 0);
}

static double plain_far(const void *functions)
{
    return position_term(functions, 1000, 0);
}

static double projected_near(const void *functions)
{
    return position_term(functions, 0, 1);
}

static double projected_far(const void *functions)
{
    return position_term(functions, 1000, 1);
}

static double moved_first_pair(const void *functions)
{
    const struct functions *f = functions;
    double row[D_MODEL];
    f->row_after(row, 4000, 7, D_MODEL);
    return row[0];
}

static double moved_slow_pair(const void *functions)
{
    const struct functions *f = functions;
    double row[D_MODEL];
    f->row_after(row, 4000, -1000, D_MODEL);
    return row[D_MODEL - 2];
}

static double sum_at(const struct functions *f, int position, int sequence)
{
    static float x[N], encoding[SEQ_LEN * D_MODEL];
    double row[D_MODEL];
    for (int i = 0; i < N; i++) {
        x[i] = (float)sin(0.7 * i);
    }
    for (int p = 0; p < SEQ_LEN; p++) {
        sinusoidal_row(row, p, D_MODEL, 1e4);
        for (int j = 0; j < D_MODEL; j++) {
            encoding[p * D_MODEL + j] = (float)row[j];
        }
    }
    f->add_encoding(x, encoding, SEQ_LEN, BATCH, D_MODEL);
    return (double)x[(position * BATCH + sequence) * D_MODEL];
}

static double sum_first_sequence(const void *functions)
{
    return sum_at(functions, 1, 0);
}

static double sum_last_sequence(const void *functions)
{
    return sum_at(functions, 1, BATCH - 1);
}

static double mean_after_dropout(const struct functions *f, int training)
{
    static float x[N];
    double sum = 0;
    for (int i = 0; i < N; i++) {
        x[i] = 0.5f;
    }
    f->dropout(x, N, 0.1f, training);
    for (int i = 0; i < N; i++) {
        sum += (double)x[i];
    }
    return sum / N;
}

static double mean_in_training(const void *functions)
{
    return mean_after_dropout(functions, 1);
}

static double mean_at_inference(const void *functions)
{
    return mean_after_dropout(functions, 0);
}

int main(int argc, char **argv)
{
    static const struct yours_check checks[] = {
        {NULL, "A position's row (step 3): d_model 64, base 10000", NULL, 0},
        {"1.1", "position 3, first cosine", row_near, 1e-5},
        {"1.1", "position 4999, last sine", row_far, 1e-3},
        {NULL, "Two rows know their distance (step 4): 10 positions apart", NULL, 0},
        {"1.1", "rows 0 and 10", product_first, 1e-3},
        {"1.1", "rows 4989 and 4999: the same", product_last, 1e-2},
        {NULL, "Until W_q and W_k stand between them (step 5): p.p, 3 positions apart", NULL, 0},
        {"1.3", "before them, key at 0", plain_near, 1e-3},
        {"1.3", "before them, key at 1000: the same", plain_far, 1e-3},
        {"1.3", "after them, key at 0", projected_near, 1e-3},
        {"1.3", "after them, key at 1000: another", projected_far, 1e-3},
        {NULL, "A row further on is the same row, rotated (step 6)", NULL, 0},
        {"1.4", "from 4000 on by 7, first sine", moved_first_pair, 1e-4},
        {"1.4", "from 4000 back by 1000, last sine", moved_slow_pair, 1e-4},
        {NULL, "The layer: add, and drop while training (step 7)", NULL, 0},
        {"1.5", "position 1, first sequence", sum_first_sequence, 1e-6},
        {"1.5", "position 1, last sequence", sum_last_sequence, 1e-6},
        {"1.6", "mean of 0.5s, training, rate 0.1", mean_in_training, 1e-5},
        {"1.6", "mean of 0.5s, inference", mean_at_inference, 1e-5},
        {NULL, NULL, NULL, 0},
    };
    const struct functions yours = {encode_positions, four_terms, your_row_after, add_encoding, your_dropout};
    const struct functions project = {project_rows, project_terms, project_row_after, project_add,
                                      project_dropout};
    return yours_run(argc, argv, "Chapter 1 with your functions", checks, &yours, &project);
}
