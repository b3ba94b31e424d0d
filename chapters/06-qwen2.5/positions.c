/* positions.c: what "RoPE extrapolates" comes to on trained weights. The bundled model has seen positions 0 to 1023, its
 * earlier checkpoint 0 to 319 only. The table of angles has a row for every position; whether the weights can use it is
 * another question. */
#include <stdlib.h>
#include <string.h>

#include "chapter6.h"
#include "loss.h"
#include "measure.h"

/* Position p gets the angles of position p * scale (Chen et al. 2023, arXiv 2306.15595: position interpolation). */
static enum status scale_positions(struct rope_table *table, double scale, struct error *error)
{
    size_t n_pairs = (size_t)(table->head_dim / 2);
    double *inv_freq = malloc(3 * n_pairs * sizeof *inv_freq);
    if (inv_freq == NULL) {
        return error_no_memory(error, "frequencies", 3 * n_pairs * sizeof *inv_freq);
    }
    double *cosine = inv_freq + n_pairs;
    double *sine = cosine + n_pairs;
    rope_inv_freq(inv_freq, table->head_dim, table->theta);
    for (int p = 0; p < table->n_positions; p++) {
        rope_angles(cosine, sine, inv_freq, (int)n_pairs, p * scale);
        for (size_t i = 0; i < n_pairs; i++) {
            table->cosine[(size_t)p * n_pairs + i] = (float)cosine[i];
            table->sine[(size_t)p * n_pairs + i] = (float)sine[i];
        }
    }
    free(inv_freq);
    return STATUS_OK;
}

static enum status measure_model(double mean[POSITION_BINS], const struct qwen2 *model, double scale,
                                 const struct token_ids *ids, int n_windows, struct error *error)
{
    struct reader reader;
    double sum[POSITION_WINDOW] = {0};
    enum status status = reader_init(&reader, model, PASS_TOKENS, POSITION_WINDOW, error);
    if (status != STATUS_OK) {
        return status;
    }
    status = rope_table_reserve(&reader.run.rope, POSITION_WINDOW, error);
    if (status == STATUS_OK && scale != 1) {
        status = scale_positions(&reader.run.rope, scale, error);
    }
    for (int w = 0; w < n_windows && status == STATUS_OK; w++) {
        status = loss_add_window(sum, &reader, ids->id + (size_t)w * POSITION_WINDOW, POSITION_WINDOW, error);
    }
    for (int b = 0; b < POSITION_BINS; b++) {
        int n = 0;
        mean[b] = 0;
        for (int p = b * POSITION_BIN; p < (b + 1) * POSITION_BIN; p++) {
            mean[b] += p > 0 ? sum[p] : 0;
            n += p > 0 ? n_windows : 0;
        }
        mean[b] /= n;
    }
    reader_free(&reader);
    return status;
}

enum status measure_positions(struct position_losses *losses, const struct settings *s, const char *path,
                              struct error *error)
{
    char folder[4096];
    struct token_ids ids = {.n = 0};
    struct qwen2 early = {.layers = NULL};
    enum status status = measure_text(&ids, s, path, error);
    losses->n_windows = (int)(ids.n / POSITION_WINDOW);
    if (s->windows > 0 && s->windows < losses->n_windows) {
        losses->n_windows = s->windows;
    }
    if (status == STATUS_OK && losses->n_windows == 0) {
        status = error_set(error, STATUS_LIMIT, "%s: found %zu tokens, expected one window of %d at least",
                           path != NULL ? path : "the held-out text", ids.n, POSITION_WINDOW);
    }
    if (status == STATUS_OK) {
        status = bundled_file(folder, sizeof folder, "tiny-stories-320", error);
    }
    if (status == STATUS_OK) {
        status = qwen2_load(&early, folder, error);
    }
    const struct {
        const struct qwen2 *model;
        double scale;
    } models[POSITION_MODELS] = {
        {&s->session.model, 1}, {&early, 1}, {&early, (double)early.config.max_seq_len / POSITION_WINDOW}};
    for (int m = 0; m < POSITION_MODELS && status == STATUS_OK; m++) {
        status =
            measure_model(losses->mean[m], models[m].model, models[m].scale, &ids, losses->n_windows, error);
    }
    qwen2_free(&early);
    token_ids_free(&ids);
    return status;
}

enum status positions_run(struct settings *settings, FILE *out, struct error *error)
{
    struct position_losses losses;
    enum status status = measure_positions(&losses, settings, settings->positions, error);
    if (status != STATUS_OK) {
        return status;
    }
    fprintf(out,
            "Loss in nats by position, mean over %d windows of %d tokens\n\n"
            "                trained on positions    trained on 0-319,\n"
            "  position      0-1023      0-319       positions * 320/1024\n",
            losses.n_windows, POSITION_WINDOW);
    for (int b = 0; b < POSITION_BINS; b++) {
        fprintf(out, "  %4d-%-4d  %10.4f  %9.4f  %12.4f\n", b * POSITION_BIN, (b + 1) * POSITION_BIN - 1,
                losses.mean[0][b], losses.mean[1][b], losses.mean[2][b]);
    }
    fprintf(out, "\nRoPE gives every position its angles; weights that never saw them cannot use\n"
                 "them. Squeezed into the trained range they can, at a price everywhere.\n"
                 "See it:  ./chapter6 --plot positions\n");
    return STATUS_OK;
}
