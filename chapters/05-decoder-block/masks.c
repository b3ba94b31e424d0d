/* Masks: 0 hides a key. A given mask is all there is; without one the block is causal. */
#include <math.h>
#include <string.h>

#include "chapters/05-decoder-block/steps.h"

/* ---- Two sequences with two masks ------------------------------------------------------------------------------- */

enum { B = 2, L = 5 };

/* Sequence 0: two padding tokens in front, then causal. Sequence 1: no order at all, and query 2 sees nothing. */
static const uint8_t shown_mask[B][L][L] = {
    {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 1, 1, 0}, {0, 0, 1, 1, 1}},
    {{1, 1, 1, 1, 1}, {1, 0, 1, 0, 1}, {0, 0, 0, 0, 0}, {0, 1, 0, 0, 1}, {1, 1, 0, 0, 1}},
};

static void print_masks(FILE *out)
{
    fprintf(out, "     sequence 0: 2 of padding     sequence 1: any, row 2 hidden\n");
    for (int query = 0; query < L; query++) {
        for (int sequence = 0; sequence < B; sequence++) {
            fprintf(out, "%*s", sequence == 0 ? 9 : 20, "");
            for (int key = 0; key < L; key++) {
                fprintf(out, "%s%d", key > 0 ? " " : "", shown_mask[sequence][query][key]);
            }
        }
        fputc('\n', out);
    }
}

/* Puts NaN into the rows of the two padding tokens of sequence 0. */
static float *poison_padding(struct lab *lab, const float *tokens)
{
    size_t n = (size_t)(B * L) * (size_t)lab->config.d_model;
    float *poisoned = lab_floats(lab, n);
    if (poisoned != NULL) {
        memcpy(poisoned, tokens, n * sizeof *poisoned);
        for (size_t i = 0; i < 2 * (size_t)lab->config.d_model; i++) {
            poisoned[i] = NAN;
        }
    }
    return poisoned;
}

enum status step_masks(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    uint8_t by_head[B][1][L][L]; /* [B, 1, L, L]: the 1 stands for "all heads alike" */
    struct lab lab;
    struct capture attention = {.operation = "attention"};
    for (int sequence = 0; sequence < B; sequence++) {
        memcpy(by_head[sequence][0], shown_mask[sequence], sizeof by_head[sequence][0]);
    }
    lab_begin(&lab, s, FORM_QWEN, 0, L);
    float *tokens = lab_tokens(&lab, B * L, s->seed + 1);
    struct pass pass = {.n_sequences = B,
                        .n_tokens = L,
                        .mask = &shown_mask[0][0][0],
                        .mask_stride = L,
                        .captures = &attention,
                        .n_captures = 1};
    float *three = lab_run_fresh(&lab, tokens, &pass);
    float *hidden = attention.values;
    pass.mask = &by_head[0][0][0][0];
    float *four = lab_run_fresh(&lab, tokens, &pass);
    float *poisoned = lab_run_fresh(&lab, poison_padding(&lab, tokens), &pass);
    if (lab_ok(&lab)) {
        size_t row = (size_t)s->d_model; /* as wide as a row of attention: n_heads * head_dim */
        fprintf(out, "   As [%d, %d, %d] or as [%d, 1, %d, %d]: the same bytes. Difference: %g\n\n", B, L, L,
                B, L, L, largest_difference(three, four, (size_t)(B * L) * row));
        print_masks(out);
        fprintf(out,
                "\n   What attention gives the three queries that see nothing (rms, before W_o):\n"
                "   %g, %g, %g; not 0/0. NaN in the two padding tokens changes the others by %g:\n"
                "   a hidden key is skipped, 0 * NaN would be NaN.\n",
                root_mean_square(hidden, row), root_mean_square(hidden + row, row),
                root_mean_square(hidden + (L + 2) * row, row),
                largest_difference(poisoned + 2 * row, four + 2 * row, (size_t)(B * L - 2) * row));
        fprintf(out, "   Six masks:  ./chapter5 --plot masks\n");
    }
    return lab_end(&lab, error);
}

/* ---- The future ------------------------------------------------------------------------------------------------- */

/* The largest change in the outputs of all tokens but the last when the last one is replaced. */
static double change_before_last(struct lab *lab, const float *tokens, const float *changed,
                                 const struct pass *pass)
{
    float *before = lab_run_fresh(lab, tokens, pass);
    float *after = lab_run_fresh(lab, changed, pass);
    size_t n = (size_t)(pass->n_tokens - 1) * (size_t)lab->config.d_model;
    return lab_ok(lab) ? largest_difference(before, after, n) : 0.0;
}

enum status step_future(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    struct lab lab;
    uint8_t all_ones[L * L];
    size_t last = (size_t)(L - 1) * (size_t)s->d_model;
    memset(all_ones, 1, sizeof all_ones);
    lab_begin(&lab, s, FORM_QWEN, 0, L);
    float *tokens = lab_tokens(&lab, L, s->seed + 1);
    float *changed = lab_tokens(&lab, L, s->seed + 1);
    float *other = lab_tokens(&lab, 1, s->seed + 2);
    if (lab_ok(&lab)) {
        memcpy(changed + last, other, (size_t)s->d_model * sizeof *changed);
    }
    double causal = change_before_last(&lab, tokens, changed, &(struct pass){.n_tokens = L});
    double open = change_before_last(&lab, tokens, changed,
                                     &(struct pass){.n_tokens = L, .mask = all_ones, .mask_stride = L});
    if (lab_ok(&lab)) {
        fprintf(out,
                "   Another last token: the outputs before it change by %g, exactly.\n"
                "   With a mask of ones they change by %.3f: a given mask is all there is, and\n"
                "   a block that is given one is causal only if that mask is.\n",
                causal, open);
    }
    return lab_end(&lab, error);
}

/* ---- Shapes of masks, for the figure ------------------------------------------------------------------------------ */

static bool sees_all(int query, int key)
{
    (void)query;
    (void)key;
    return true;
}

static bool sees_causal(int query, int key)
{
    return key <= query;
}

static bool sees_left_padded(int query, int key)
{
    return key <= query && key >= 3;
}

static bool sees_packed(int query, int key)
{
    return key <= query && (query < 3) == (key < 3);
}

static bool sees_second_piece(int query, int key)
{
    return key <= query + 5;
}

enum status data_masks(void *settings, struct table *table, struct error *error)
{
    static const struct {
        const char *name;
        int n_queries;
        bool (*sees)(int query, int key);
    } masks[] = {{"all ones", 8, sees_all},
                 {"causal", 8, sees_causal},
                 {"left padding of 3", 8, sees_left_padded},
                 {"packed 3 + 5", 8, sees_packed},
                 {"piece of 3 after 5", 3, sees_second_piece},
                 {"decode: 1 after 7", 1, sees_all}};
    (void)settings;
    (void)error;
    for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++) {
        for (int query = 0; query < masks[m].n_queries; query++) {
            for (int key = 0; key < 8; key++) {
                table_int(table, (long long)m);
                table_string(table, masks[m].name);
                table_int(table, query + 8 - masks[m].n_queries);
                table_int(table, key);
                table_int(table, masks[m].sees(query, key));
            }
        }
    }
    return STATUS_OK;
}
