/* measure.h: the measurements that both a mode prints and a data set writes. */
#ifndef CHAPTER6_MEASURE_H
#define CHAPTER6_MEASURE_H

#include "chapter6.h"
#include "faults.h"

/* The tokens of a text; path NULL: the bundled held-out text. At least 2. */
enum status measure_text(struct token_ids *ids, const struct settings *s, const char *path,
                         struct error *error);

/* Of the session's model with the session's fault, over the first windows of a text. n_windows: 0 for all. */
struct perplexity {
    double value;
    int window; /* tokens */
    int n_windows;
};
enum status measure_perplexity(struct perplexity *result, const struct session *session,
                               const struct token_ids *ids, int n_windows, struct error *error);

/* The largest difference of the prompt's logits, token by token, from one pass; and what rounding explains. */
enum status measure_decode(double *worst, double *bound, const struct settings *settings,
                           struct error *error);

/* One row a fault, in their order. */
typedef void (*ablation_row)(void *context, const struct fault *fault, double perplexity);
enum status measure_ablation(const struct settings *s, ablation_row row, void *context, struct error *error);

enum {
    POSITION_WINDOW = 1024,
    POSITION_BIN = 64,
    POSITION_BINS = POSITION_WINDOW / POSITION_BIN,
    POSITION_MODELS = 3 /* trained to 1024; trained to 320; that one with positions scaled by 320/1024 */
};

/* Mean loss of the tokens of each bin over all windows of the text (the token at position 0 is not scored). path NULL:
 * the bundled held-out text. */
struct position_losses {
    double mean[POSITION_MODELS][POSITION_BINS];
    int n_windows;
};
enum status measure_positions(struct position_losses *losses, const struct settings *s, const char *path,
                              struct error *error);

#endif
