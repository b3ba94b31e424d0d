/* The step on layouts: which elements form a pair, the permutation between the two, what mixing them does. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "score.h"

/* ---- Conversion ---- */

enum { INPUTS = 8 };

/* A query's and a key's projection for one head: weights [head_dim, INPUTS] and biases [head_dim]. */
struct projection {
    float weight[MAX_HEAD_DIM * INPUTS], bias[MAX_HEAD_DIM];
};

static void project(double *out, const struct projection *p, const double *x, int head_dim)
{
    for (int r = 0; r < head_dim; r++) {
        double sum = (double)p->bias[r];
        for (int c = 0; c < INPUTS; c++) {
            sum += (double)p->weight[r * INPUTS + c] * x[c];
        }
        out[r] = sum;
    }
}

/* LLaMA's original weights are interleaved; their conversion to Hugging Face's halves permutes rows. Largest change of a
 * score, and the same when the biases are forgotten. */
static void compare_conversion(const struct settings *s, double *converted, double *forgotten,
                               struct projection *space)
{
    struct projection *trained = space, *half = space + 2; /* [2] each: the query's, the key's */
    struct rotary interleaved = rotary_from(s), halves = rotary_from(s);
    interleaved.layout = ROPE_INTERLEAVED;
    halves.layout = ROPE_HALF;
    struct rng rng;
    rng_init(&rng, s->seed);
    for (int p = 0; p < 2; p++) {
        rng_fill_normal(&rng, trained[p].weight, (size_t)s->head_dim * INPUTS, 1.0);
        rng_fill_normal(&rng, trained[p].bias, (size_t)s->head_dim, 1.0);
        rope_rows_to_half(half[p].weight, trained[p].weight, 1, s->head_dim, INPUTS);
        rope_rows_to_half(half[p].bias, trained[p].bias, 1, s->head_dim, 1);
    }
    *converted = *forgotten = 0.0;
    for (int trial = 0; trial < 100; trial++) {
        double x[2][INPUTS], q[MAX_HEAD_DIM], k[MAX_HEAD_DIM];
        double m = rng_below(&rng, 1000), n = rng_below(&rng, 1000);
        random_head(&rng, x[0], INPUTS);
        random_head(&rng, x[1], INPUTS);
        project(q, &trained[0], x[0], s->head_dim);
        project(k, &trained[1], x[1], s->head_dim);
        double score = rotary_score(&interleaved, q, k, m, n);
        project(q, &half[0], x[0], s->head_dim);
        project(k, &half[1], x[1], s->head_dim);
        *converted = fmax(*converted, fabs(rotary_score(&halves, q, k, m, n) - score));
        for (int r = 0; r < s->head_dim; r++) { /* the weights permuted, the biases not */
            q[r] += (double)trained[0].bias[r] - (double)half[0].bias[r];
            k[r] += (double)trained[1].bias[r] - (double)half[1].bias[r];
        }
        *forgotten = fmax(*forgotten, fabs(rotary_score(&halves, q, k, m, n) - score));
    }
}

/* ---- Mixing ---- */

/* q rotated in one layout, k in the other. */
static double mixed_score(const struct settings *s, const double *q, const double *k, double m, double n)
{
    struct rotary rotary = rotary_from(s);
    double a[MAX_HEAD_DIM], b[MAX_HEAD_DIM];
    memcpy(a, q, (size_t)s->head_dim * sizeof *a);
    memcpy(b, k, (size_t)s->head_dim * sizeof *b);
    rotary.layout = ROPE_HALF;
    rotary_turn(&rotary, a, m);
    rotary.layout = ROPE_INTERLEAVED;
    rotary_turn(&rotary, b, n);
    return dot(a, b, s->head_dim);
}

static void print_mixed(const struct settings *s, FILE *out)
{
    static const int shifts[] = {0, 1, 10, 1000};
    struct rotary rotary = rotary_from(s);
    double q[MAX_HEAD_DIM], k[MAX_HEAD_DIM];
    struct rng rng;
    rng_init(&rng, s->seed);
    random_head(&rng, q, s->head_dim);
    random_head(&rng, k, s->head_dim);
    fprintf(out, "   q three tokens after k, both shifted by    ");
    for (int i = 0; i < 4; i++) {
        fprintf(out, "%8d", shifts[i]);
    }
    fprintf(out, "\n     score, both in the layout %-11s     ",
            s->layout == ROPE_HALF ? "half" : "interleaved");
    for (int i = 0; i < 4; i++) {
        fprintf(out, "%8.3f", rotary_score(&rotary, q, k, shifts[i] + 3, shifts[i]));
    }
    fprintf(out, "\n     mixed: q in halves, k interleaved        ");
    for (int i = 0; i < 4; i++) {
        fprintf(out, "%8.3f", mixed_score(s, q, k, shifts[i] + 3, shifts[i]));
    }
    fputc('\n', out);
}

/* ---- Speed, on stderr: the only numbers here that differ from run to run ---- */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The best of some runs over 64 tokens of 14 heads, in nanoseconds for a pair. */
static double nanoseconds_per_pair(enum rope_layout layout, const struct rope_table *table, float *x,
                                   size_t size)
{
    enum { TOKENS = 64, HEADS = 14, RUNS = 20 };
    int32_t position[TOKENS];
    size_t d = (size_t)table->head_dim, n_pairs = TOKENS * HEADS * d / 2;
    double best = HUGE_VAL;
    for (int t = 0; t < TOKENS; t++) {
        position[t] = t;
    }
    for (size_t i = 0; i < size; i++) {
        x[i] = 1.0f;
    }
    for (int run = 0; run < RUNS; run++) {
        double start = seconds();
        rope_apply(x, layout, table, position, TOKENS, HEADS, HEADS * d, d);
        best = fmin(best, seconds() - start);
    }
    return 1e9 * best / (double)n_pairs;
}

static enum status measure_speed(const struct settings *s, struct error *error)
{
    struct rope_table table;
    size_t size = (size_t)64 * 14 * (size_t)s->head_dim;
    float *x = malloc(checked_product(size, sizeof *x));
    if (x == NULL) {
        return error_no_memory(error, "queries", checked_product(size, sizeof *x));
    }
    enum status status = rope_table_init(&table, s->head_dim, s->theta, 64, error);
    if (status == STATUS_OK) {
        double half = nanoseconds_per_pair(ROPE_HALF, &table, x, size);
        double interleaved = nanoseconds_per_pair(ROPE_INTERLEAVED, &table, x, size);
        fprintf(stderr, "   Speed on this machine: half %.2f, interleaved %.2f nanoseconds a pair\n", half,
                interleaved);
        rope_table_free(&table);
    }
    free(x);
    return status;
}

enum status step_layouts(void *context, FILE *out, struct error *error)
{
    const struct settings *s = context;
    struct projection *space = malloc(4 * sizeof *space);
    if (space == NULL) {
        return error_no_memory(error, "projections", 4 * sizeof *space);
    }
    double converted, forgotten;
    compare_conversion(s, &converted, &forgotten, space);
    free(space);
    fprintf(out,
            "                  pairs of 8 elements\n"
            "     half         0-4 1-5 2-6 3-7   GPT-NeoX, Hugging Face; Qwen2.5 natively\n"
            "     interleaved  0-1 2-3 4-5 6-7   RoFormer, LLaMA's original weights\n"
            "   From interleaved to half, rows of W_q, W_k, b_q, b_k: 0 2 4 6 1 3 5 7 (what\n"
            "   LLaMA's conversion to Hugging Face does; Qwen2.5 needs none). Largest change\n"
            "   of a score: %.0e with the biases permuted too, %.1f with the weights alone.\n",
            converted, forgotten);
    print_mixed(s, out);
    fprintf(out, "   Both are right, with the weights trained for them. Mixed, the position shows;\n"
                 "   only at shift 0, where the key stands at position 0, do they agree.\n");
    fflush(out);
    return measure_speed(s, error);
}
