/* Steps on what relative positions mean for scores: content, decay, the added encoding, values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "score.h"

enum { PEAK = 1000 };

/* ---- Content and decay ---- */

/* Mean and root mean square of the score of random vectors over |q| |k|. */
static void random_scores(const struct settings *s, const struct rotary *rotary, double distance,
                          double *mean, double *rms)
{
    double q[MAX_HEAD_DIM], k[MAX_HEAD_DIM];
    struct rng rng;
    double sum = 0.0, squares = 0.0;
    rng_init(&rng, s->seed);
    for (int trial = 0; trial < s->trials; trial++) {
        random_head(&rng, q, s->head_dim);
        random_head(&rng, k, s->head_dim);
        double norms = sqrt(dot(q, q, s->head_dim) * dot(k, k, s->head_dim));
        double score = rotary_score(rotary, q, k, distance, 0) / norms;
        sum += score;
        squares += score * score;
    }
    *mean = sum / s->trials;
    *rms = sqrt(squares / s->trials);
}

static void print_decay(FILE *out, const struct settings *s, struct rotary *rotary, const double *k)
{
    static const int distances[] = {0, 1, 10, 100, 999, 1000, 1001, 4000};
    double equal[MAX_HEAD_DIM], turned[MAX_HEAD_DIM], mean[8], rms[8];
    for (int i = 0; i < s->head_dim; i++) {
        equal[i] = 1.0;
    }
    memcpy(turned, k, sizeof turned);
    rotary_turn(rotary, turned, -PEAK);
    fprintf(out, "     distance        ");
    for (int i = 0; i < 8; i++) {
        fprintf(out, "%7d", distances[i]);
        random_scores(s, rotary, distances[i], &mean[i], &rms[i]);
    }
    fprintf(out, "\n     q = k = all ones");
    for (int i = 0; i < 8; i++) {
        fprintf(out, "%7.3f", rotary_score(rotary, equal, equal, distances[i], 0) / s->head_dim);
    }
    fprintf(out, "\n     random, mean    ");
    for (int i = 0; i < 8; i++) {
        fprintf(out, "%7.3f", mean[i]);
    }
    fprintf(out, "\n     random, rms     ");
    for (int i = 0; i < 8; i++) {
        fprintf(out, "%7.3f", rms[i]);
    }
    fprintf(out, "\n     q = R_(-1000) k ");
    for (int i = 0; i < 8; i++) {
        fprintf(out, "%7.3f", rotary_score(rotary, turned, k, distances[i], 0) / dot(k, k, s->head_dim));
    }
    fputc('\n', out);
}

enum status step_content(void *context, FILE *out, struct error *error)
{
    (void)error;
    const struct settings *s = context;
    struct rotary rotary = rotary_from(s);
    double q[MAX_HEAD_DIM] = {0}, k[MAX_HEAD_DIM] = {0}, other[MAX_HEAD_DIM];
    struct rng rng;
    rng_init(&rng, s->seed);
    random_head(&rng, q, s->head_dim);
    random_head(&rng, k, s->head_dim);
    random_head(&rng, other, s->head_dim);
    fprintf(out,
            "   Three tokens apart, the same q, one k and another:  %.4f  and  %.4f\n"
            "   Query at m, key m - distance; scores over |q||k|, so that 1 is the most:\n",
            rotary_score(&rotary, q, k, 3, 0), rotary_score(&rotary, q, other, 3, 0));
    rotary.angle = ANGLE_LINEAR; /* with another one there is no score of a distance */
    print_decay(out, s, &rotary, k);
    fprintf(out, "   The shape is up to q and k: random ones show no trend, and a q can be made to\n"
                 "   look for the key 1000 tokens back.  --plot decay\n");
    return STATUS_OK;
}

/* ---- Added instead of rotated ---- */

enum status step_added(void *context, FILE *out, struct error *error)
{
    (void)error;
    const struct settings *s = context;
    struct rotary rotary = rotary_from(s);
    static const int shifts[] = {0, 10, 100, 1000, 10000};
    double q[MAX_HEAD_DIM], k[MAX_HEAD_DIM];
    struct rng rng;
    rng_init(&rng, s->seed);
    random_head(&rng, q, s->head_dim);
    random_head(&rng, k, s->head_dim);
    double added[5], rotated[5], largest_added = 0.0, largest_rotated = 0.0;
    for (int i = 0; i < 5; i++) {
        added[i] = added_score(q, k, s->head_dim, shifts[i] + 3, shifts[i]);
        rotated[i] = rotary_score(&rotary, q, k, shifts[i] + 3, shifts[i]);
        largest_added = fmax(largest_added, fabs(added[i] - added[0]));
        largest_rotated = fmax(largest_rotated, fabs(rotated[i] - rotated[0]));
    }
    fprintf(out,
            "   Chapter 1's sinusoids added to the same q and k, three tokens apart:\n     both shift by   ");
    for (int i = 0; i < 5; i++) {
        fprintf(out, "%9d", shifts[i]);
    }
    fprintf(out, "   changes by\n     added           ");
    for (int i = 0; i < 5; i++) {
        fprintf(out, "%9.4f", added[i]);
    }
    fprintf(out, "   %10.1e\n     rotated         ", largest_added);
    for (int i = 0; i < 5; i++) {
        fprintf(out, "%9.4f", rotated[i]);
    }
    fprintf(out,
            "   %10.1e\n"
            "   (q + p_m).(k + p_n) has q.p_n and p_m.k, which know positions.  --plot shift\n",
            largest_rotated);
    return STATUS_OK;
}

/* ---- Values ---- */

enum { KEYS = 3 };

struct tokens {
    double q[MAX_HEAD_DIM], k[KEYS][MAX_HEAD_DIM], v[KEYS][MAX_HEAD_DIM];
};

/* What attention gives a query at position first + 2 that sees keys at first, first + 1 and first + 2. Softmax of the
 * scores, then the weighted sum of the values, rotated or not: chapter 5's subject in a few lines. */
static void attend(const struct rotary *rotary, double *out, const struct tokens *tokens, double first,
                   int rotate_values)
{
    double weight[KEYS], sum = 0.0;
    for (int j = 0; j < KEYS; j++) {
        weight[j] = exp(rotary_score(rotary, tokens->q, tokens->k[j], first + KEYS - 1, first + j) /
                        sqrt(rotary->head_dim));
        sum += weight[j];
    }
    memset(out, 0, (size_t)rotary->head_dim * sizeof *out);
    for (int j = 0; j < KEYS; j++) {
        double value[MAX_HEAD_DIM];
        memcpy(value, tokens->v[j], sizeof value);
        if (rotate_values) {
            rotary_turn(rotary, value, first + j);
        }
        for (int i = 0; i < rotary->head_dim; i++) {
            out[i] += weight[j] / sum * value[i];
        }
    }
}

enum status step_values(void *context, FILE *out, struct error *error)
{
    const struct settings *s = context;
    struct rotary rotary = rotary_from(s);
    struct tokens *tokens = calloc(1, sizeof *tokens);
    if (tokens == NULL) {
        return error_no_memory(error, "the tokens", sizeof *tokens);
    }
    double here[MAX_HEAD_DIM], there[MAX_HEAD_DIM], change[2] = {0.0, 0.0};
    struct rng rng;
    rng_init(&rng, s->seed);
    random_head(&rng, tokens->q, s->head_dim);
    for (int j = 0; j < KEYS; j++) {
        random_head(&rng, tokens->k[j], s->head_dim);
        random_head(&rng, tokens->v[j], s->head_dim);
    }
    for (int rotate_values = 0; rotate_values < 2; rotate_values++) {
        attend(&rotary, here, tokens, 0, rotate_values);
        attend(&rotary, there, tokens, 1000, rotate_values);
        for (int i = 0; i < s->head_dim; i++) {
            change[rotate_values] = fmax(change[rotate_values], fabs(there[i] - here[i]));
        }
    }
    fprintf(out,
            "   Three tokens attended to, then the same three 1000 positions on. The output\n"
            "   changes by  %.1e  with V as it is, by  %.2f  with V rotated too: nothing\n"
            "   turns a rotated V back, as the query does with the key.\n",
            change[0], change[1]);
    free(tokens);
    return STATUS_OK;
}
