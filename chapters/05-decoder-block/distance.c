/* What depends on the distance of two tokens, what does not, and what is left without any encoding. */
#include <math.h>
#include <string.h>

#include "chapters/05-decoder-block/steps.h"

/* ---- All positions shift ------------------------------------------------------------------------------------------ */

enum status step_shift(void *settings, FILE *out, struct error *error)
{
    static const int shifts[] = {1, 100, 10000};
    const struct settings *s = settings;
    size_t n = (size_t)s->seq_len * (size_t)s->d_model;
    struct lab lab;
    lab_begin(&lab, s, FORM_QWEN, 0, s->seq_len);
    float *tokens = lab_tokens(&lab, s->seq_len, s->seed + 1);
    float *here = lab_run_fresh(&lab, tokens, &(struct pass){.n_tokens = s->seq_len});
    fprintf(out, "   All positions move on by     the block's output changes by\n");
    for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
        float *there =
            lab_run_fresh(&lab, tokens, &(struct pass){.n_tokens = s->seq_len, .shift = shifts[i]});
        if (lab_ok(&lab)) {
            fprintf(out, "     %-10d                 %.1g\n", shifts[i], largest_difference(here, there, n));
        }
    }
    int half = s->seq_len / 2; /* the second half one position late: distances across the gap grow */
    float *first = lab_run_fresh(&lab, tokens, &(struct pass){.n_tokens = half});
    float *second = lab_run(&lab, lab_ok(&lab) ? tokens + (size_t)half * (size_t)s->d_model : NULL,
                            &(struct pass){.n_tokens = s->seq_len - half, .shift = 1});
    if (lab_ok(&lab)) {
        size_t n_first = (size_t)half * (size_t)s->d_model;
        fprintf(out, "     1, the second half only    %.3f\n   Rounding, as long as every distance stays.\n",
                fmax(largest_difference(here, first, n_first),
                     largest_difference(here + n_first, second, n - n_first)));
    }
    return lab_end(&lab, error);
}

/* ---- One pair behind growing prefixes ------------------------------------------------------------------------------ */

/* The pair: a key, and right after it the query. What head 0 gives for it, and the block's output for the query. */
struct pair {
    double score, weight;
    float *output; /* [d_model] */
};

/* Runs the pair behind what the cache holds, then takes it out again. */
static struct pair run_pair(struct lab *lab, const float *tokens)
{
    struct pair pair = {0.0, 0.0, NULL};
    struct capture c[] = {
        {.operation = "q_rotated"}, {.operation = "k_rotated"}, {.operation = "attention.weights"}};
    int prefix = lab->cache[0].length, head_dim = lab->config.head_dim;
    float *output = lab_run(lab, tokens, &(struct pass){.n_tokens = 2, .captures = c, .n_captures = 3});
    if (!lab_ok(lab)) {
        return pair;
    }
    kv_cache_truncate(&lab->cache[0], prefix);
    for (int i = 0; i < head_dim; i++) { /* the query is the second row of q, the key the first of k */
        pair.score += (double)c[0].values[c[0].n_cols + i] * (double)c[1].values[i] / sqrt(head_dim);
    }
    pair.weight = (double)c[2].values[(size_t)lab->config.n_heads * (size_t)c[2].n_cols + (size_t)prefix];
    pair.output = output + lab->config.d_model;
    return pair;
}

/* prefix [n] ascending; pairs [n] are filled. The lab stays open: the outputs are its memory. */
static void run_prefixes(struct lab *lab, struct pair *pairs, const int *prefix, int n)
{
    const struct settings *s = lab->settings;
    float *pair = lab_tokens(lab, 2, s->seed + 2);
    float *filler = lab_tokens(lab, prefix[n - 1] + 1, s->seed + 3);
    for (int i = 0; i < n && lab_ok(lab); i++) {
        int from = lab->cache[0].length;
        if (prefix[i] > from) {
            lab_run(lab, filler + (size_t)from * (size_t)s->d_model,
                    &(struct pass){.n_tokens = prefix[i] - from});
        }
        if (lab_ok(lab)) {
            pairs[i] = run_pair(lab, pair);
        }
    }
}

enum status step_prefix(void *settings, FILE *out, struct error *error)
{
    static const int prefix[] = {0, 1, 10, 100, 1000};
    enum { N = sizeof prefix / sizeof prefix[0] };
    const struct settings *s = settings;
    struct pair pairs[N] = {{0.0, 0.0, NULL}};
    struct lab lab;
    lab_begin(&lab, s, FORM_QWEN, 0, prefix[N - 1] + 2);
    run_prefixes(&lab, pairs, prefix, N);
    if (lab_ok(&lab)) {
        fprintf(out, "   The same two tokens, the second asks the first, after more and more others:\n\n"
                     "     prefix     score    weight    the second's output changes by\n");
        for (int i = 0; i < N; i++) {
            fprintf(out, "     %6d  %8.4f  %8.5f    %.3f\n", prefix[i], pairs[i].score, pairs[i].weight,
                    largest_difference(pairs[0].output, pairs[i].output, (size_t)s->d_model));
        }
        fprintf(out, "\n   RoPE keeps the score. The softmax divides by everything else that can be\n"
                     "   seen, and the values of the prefix come in.  ./chapter5 --plot prefix\n");
    }
    return lab_end(&lab, error);
}

enum status data_prefix(void *settings, struct table *table, struct error *error)
{
    static const int prefix[] = {0,  1,  2,   3,   4,   6,   8,   12,  16,  24,  32,  48,
                                 64, 96, 128, 192, 256, 384, 512, 640, 768, 896, 1000};
    enum { N = sizeof prefix / sizeof prefix[0] };
    const struct settings *s = settings;
    struct pair pairs[N] = {{0.0, 0.0, NULL}};
    struct lab lab;
    lab_begin(&lab, s, FORM_QWEN, 0, prefix[N - 1] + 2);
    run_prefixes(&lab, pairs, prefix, N);
    for (int i = 0; i < N && lab_ok(&lab); i++) {
        table_int(table, prefix[i]);
        table_int(table, prefix[i] + 2);
        table_float(table, pairs[i].score);
        table_float(table, pairs[i].weight);
        table_float(table, 1.0 / (prefix[i] + 2));
        table_float(table, largest_difference(pairs[0].output, pairs[i].output, (size_t)s->d_model));
    }
    return lab_end(&lab, error);
}

/* ---- Without any encoding ------------------------------------------------------------------------------------------ */

enum { REPEATED = 12 };

/* Token m of REPEATED: all alike, and all alike but for the first. No rotation anywhere. */
struct identical_row {
    double first_weight;  /* of head 0 */
    double change;        /* of the output against token 0 */
    double change_behind; /* behind another first token: against token 1; 0 for token 0 */
};

static enum status run_identical(const struct settings *s, struct identical_row rows[REPEATED],
                                 struct error *error)
{
    struct lab lab;
    struct capture weights = {.operation = "attention.weights"};
    size_t width = (size_t)s->d_model;
    lab_begin(&lab, s, FORM_QWEN, 0, REPEATED);
    float *tokens = lab_floats(&lab, REPEATED * width);
    float *word = lab_tokens(&lab, 1, s->seed + 2), *other = lab_tokens(&lab, 1, s->seed + 3);
    for (int m = 0; m < REPEATED && lab_ok(&lab); m++) {
        memcpy(tokens + (size_t)m * width, word, width * sizeof *tokens);
    }
    float *alike = lab_run_fresh(
        &lab, tokens,
        &(struct pass){.n_tokens = REPEATED, .no_positions = true, .captures = &weights, .n_captures = 1});
    if (lab_ok(&lab)) {
        memcpy(tokens, other, width * sizeof *tokens);
    }
    float *behind = lab_run_fresh(&lab, tokens, &(struct pass){.n_tokens = REPEATED, .no_positions = true});
    for (int m = 0; m < REPEATED && lab_ok(&lab); m++) {
        const float *of_token = weights.values + (size_t)m * (size_t)s->n_heads * REPEATED;
        rows[m].first_weight = (double)of_token[0];
        rows[m].change = largest_difference(alike + (size_t)m * width, alike, width);
        rows[m].change_behind =
            m > 0 ? largest_difference(behind + (size_t)m * width, behind + width, width) : 0.0;
    }
    return lab_end(&lab, error);
}

enum status step_identical(void *settings, FILE *out, struct error *error)
{
    static const int shown[] = {2, 3, 7, 11};
    struct identical_row rows[REPEATED] = {{0.0, 0.0, 0.0}};
    enum status status = run_identical(settings, rows, error);
    if (status != STATUS_OK) {
        return status;
    }
    fprintf(out, "   One word again and again, nothing rotated. Token m's weight for token 0; how\n"
                 "   far its output is from token 0's; from token 1's, after another first word:\n\n"
                 "     m       weight    1/(m+1)    output differs     after another word\n");
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        int m = shown[i];
        fprintf(out, "     %-4d  %8.5f   %8.5f    %-17.1g %.3f\n", m, rows[m].first_weight, 1.0 / (m + 1),
                rows[m].change, rows[m].change_behind);
    }
    fprintf(out, "\n   The mask alone gives every token another weight, but the mean of equal values\n"
                 "   is that value. Only after a different word does the mask tell them apart.\n");
    return STATUS_OK;
}

enum status data_identical(void *settings, struct table *table, struct error *error)
{
    struct identical_row rows[REPEATED] = {{0.0, 0.0, 0.0}};
    enum status status = run_identical(settings, rows, error);
    for (int m = 0; status == STATUS_OK && m < REPEATED; m++) {
        table_int(table, m);
        table_float(table, rows[m].first_weight);
        table_float(table, 1.0 / (m + 1));
        table_float(table, rows[m].change);
        table_float(table, rows[m].change_behind);
    }
    return status;
}
