/* Steps 4 and 5: what two positions have to do with each other, before and after the projections. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "chapters/01-sinusoidal-pe/steps.h"
#include "common/rng.h"
#include "common/sinusoidal.h"

/* near and far: where the similarity figure stands. Neighbours: the query is 3 positions after its key. */
enum { N_SAMPLES = 200, NEAR = 1000, FAR = 4000, REACH = 100, NEIGHBOURS = 3, LAST_SHIFT = 200 };

/* Everything of length d_model that these steps need, in one allocation. */
struct vectors {
    int n;
    double *query_content, *key_content;   /* [n] embeddings of two words */
    double *query_position, *key_position; /* [n] rows of the encoding */
    double *a, *b;                         /* [n] results */
    double *w_q, *w_k;                     /* [n, n]; NULL without projections */
};

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* False, with *error set, when memory is short. */
static bool vectors_init(struct vectors *v, const struct settings *s, bool projections, struct error *error)
{
    size_t n = (size_t)s->d_model;
    size_t count = 6 * n + (projections ? 2 * n * n : 0);
    size_t bytes = checked_product(count, sizeof(double));
    double *memory = calloc(count, sizeof *memory);
    if (memory == NULL) {
        error_no_memory(error, "projections", bytes);
        return false;
    }
    *v = (struct vectors){s->d_model,     memory, memory + n, memory + 2 * n, memory + 3 * n, memory + 4 * n,
                          memory + 5 * n, NULL,   NULL};
    if (projections) {
        v->w_q = memory + 6 * n;
        v->w_k = v->w_q + n * n;
    }
    struct rng rng;
    rng_init(&rng, s->seed);
    for (size_t i = 0; i < 2 * n; i++) {
        memory[i] = rng_normal(&rng);
    }
    for (size_t i = 6 * n; i < count; i++) {
        memory[i] = rng_normal(&rng) / sqrt((double)n); /* lengths stay what they were, on average */
    }
    return true;
}

static void vectors_free(struct vectors *v)
{
    free(v->query_content);
}

/* out = W x, or x where there is no W. W [n, n]. */
static void project(double *out, const double *w, const double *x, int n)
{
    for (int o = 0; o < n; o++) {
        out[o] = w != NULL ? dot(w + (size_t)o * (size_t)n, x, n) : x[o];
    }
}

static double projected_dot(struct vectors *v, const double *x, const double *y)
{
    project(v->a, v->w_q, x, v->n);
    project(v->b, v->w_k, y, v->n);
    return dot(v->a, v->b, v->n);
}

/* ---- Step 4: rows alone ---- */

static double row_product(struct vectors *v, const struct settings *s, int p, int q)
{
    sinusoidal_row(v->query_position, p, v->n, s->base);
    sinusoidal_row(v->key_position, q, v->n, s->base);
    return dot(v->query_position, v->key_position, v->n);
}

static void print_distance(FILE *out, struct vectors *v, const struct settings *s, int distance)
{
    double lowest = INFINITY;
    double highest = -INFINITY;
    for (int sample = 0; sample < N_SAMPLES; sample++) {
        int p = (int)((long long)sample * (s->max_len - 1 - distance) / (N_SAMPLES - 1));
        double product = row_product(v, s, p, p + distance);
        lowest = fmin(lowest, product);
        highest = fmax(highest, product);
    }
    fprintf(out, "     %8d   %12.6f   %12.6f   %9.1e\n", distance, row_product(v, s, 0, distance),
            row_product(v, s, s->max_len - 1 - distance, s->max_len - 1), highest - lowest);
}

enum status step_distance(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    struct vectors v;
    if (!vectors_init(&v, s, false, error)) {
        return error->status;
    }
    int distances[] = {0, 1, 10, s->max_len / 50, s->max_len / 5};
    fprintf(out,
            "   pe[p] . pe[p+k] = sum_i cos(k * frequency_i): no p in it.\n\n"
            "   distance k        first p         last p   spread over %d p\n",
            N_SAMPLES);
    for (int i = 0, last = -1; i < 5; i++) {
        if (distances[i] > last) {
            print_distance(out, &v, s, distances[i]);
            last = distances[i];
        }
    }
    fputs(s->d_model % 2 != 0
              ? "\n   The width is odd: the last sine has no cosine, and its product does depend\n"
                "   on p.  ./chapter1 --plot similarity\n"
              : "\n   The spread is rounding.  ./chapter1 --plot similarity\n",
          out);
    vectors_free(&v);
    return STATUS_OK;
}

/* ---- Step 5: the score of word + position ----
 *
 * (c_q + p_q)^T W_q^T W_k (c_k + p_k) has four terms. Each over sqrt(d_model), as attention scales its scores. */

struct terms {
    double cc, cp, pc, pp; /* query's content or position, with the key's content or position */
};

static struct terms score_terms(struct vectors *v, const struct settings *s, int shift, bool projections)
{
    double *w_q = v->w_q;
    double *w_k = v->w_k;
    double scale = 1.0 / sqrt(v->n);
    if (!projections) {
        v->w_q = v->w_k = NULL;
    }
    sinusoidal_row(v->query_position, shift + NEIGHBOURS, v->n, s->base);
    sinusoidal_row(v->key_position, shift, v->n, s->base);
    struct terms terms = {.cc = scale * projected_dot(v, v->query_content, v->key_content),
                          .cp = scale * projected_dot(v, v->query_content, v->key_position),
                          .pc = scale * projected_dot(v, v->query_position, v->key_content),
                          .pp = scale * projected_dot(v, v->query_position, v->key_position)};
    v->w_q = w_q;
    v->w_k = w_k;
    return terms;
}

static void print_terms(FILE *out, struct vectors *v, const struct settings *s, bool projections)
{
    static const int shifts[] = {0, 1, 10, 100, 1000};
    for (int i = 0; i < 5; i++) {
        struct terms t = score_terms(v, s, shifts[i], projections);
        fprintf(out, "     %8d  %9.4f %9.4f %9.4f %9.4f  %9.4f\n", shifts[i], t.cc, t.cp, t.pc, t.pp,
                t.cc + t.cp + t.pc + t.pp);
    }
}

enum status step_terms(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    struct vectors v;
    if (!vectors_init(&v, s, true, error)) {
        return error->status;
    }
    fprintf(out,
            "   A score is (c + p)_q . (c + p)_k: content and position of the query, and of\n"
            "   a key %d positions before. Its four terms while both move on together:\n\n"
            "        shift        c.c       c.p       p.c       p.p      score\n"
            "     before W_q and W_k\n",
            NEIGHBOURS);
    print_terms(out, &v, s, false);
    fputs("     after them (random, as at the start of training)\n", out);
    print_terms(out, &v, s, true);
    fputs("\n   Before: p.p knows only the distance, but c.p and p.c already move. After: all\n"
          "   three with a position in them move. To learn \"three words ago\" a model must\n"
          "   undo that everywhere. Wanted: positions that enter after W_q and W_k and\n"
          "   leave only the distance (RoPE, chapter 3).  ./chapter1 --plot terms\n",
          out);
    vectors_free(&v);
    return STATUS_OK;
}

/* ---- Data ---- */

enum status data_similarity(void *settings, struct table *table, struct error *error)
{
    const struct settings *s = settings;
    static const int places[] = {NEAR, FAR};
    struct vectors v;
    if (!vectors_init(&v, s, true, error)) {
        return error->status;
    }
    for (int distance = -REACH; distance <= REACH; distance++) {
        double product[2];
        double projected[2];
        for (int i = 0; i < 2; i++) {
            product[i] = row_product(&v, s, places[i], places[i] + distance);
            projected[i] = projected_dot(&v, v.query_position, v.key_position);
        }
        table_int(table, distance);
        table_float(table, product[0]);
        table_float(table, product[1]);
        table_float(table, projected[0]);
        table_float(table, projected[1]);
    }
    vectors_free(&v);
    return STATUS_OK;
}

static void write_terms(struct table *table, struct terms t)
{
    table_float(table, t.cc);
    table_float(table, t.cp);
    table_float(table, t.pc);
    table_float(table, t.pp);
}

enum status data_terms(void *settings, struct table *table, struct error *error)
{
    const struct settings *s = settings;
    struct vectors v;
    if (!vectors_init(&v, s, true, error)) {
        return error->status;
    }
    for (int shift = 0; shift <= LAST_SHIFT; shift++) {
        table_int(table, shift);
        write_terms(table, score_terms(&v, s, shift, false));
        write_terms(table, score_terms(&v, s, shift, true));
    }
    vectors_free(&v);
    return STATUS_OK;
}
