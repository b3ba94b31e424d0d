#include <stddef.h>

#include "child.h"
#include "exercises.h"

static const double table[] = {1, 0, 0, 1, 2, -1, 0.5, 0.25, -3, 2, 1, 1};
static const double other[] = {-1, 4, 2, 2, 0.5, 0, 3, -2, 1, 0.75, -1, 2};

/* Sums of three products of numbers up to 5: float32 in any order is good to 1e-5. */
static void one(const char *name, const double *hidden, int n_tokens, int row, const double *lm_head,
                int tied, int vocab_size, int d_model)
{
    ex_case(name);
    ex_doubles("hidden", hidden, n_tokens * d_model);
    ex_int("row", row);
    ex_doubles("embedding", table, vocab_size * d_model);
    if (lm_head != NULL) {
        ex_doubles("lm_head", lm_head, vocab_size * d_model);
    } else {
        ex_text("lm_head", "NULL");
    }
    ex_int("tied", tied);
    ex_int("vocab_size", vocab_size);
    ex_int("d_model", d_model);
    double *logit = ex_out_doubles("logit", vocab_size, 1e-5, 0);
    logits_of_row(logit, hidden, row, table, lm_head, tied, vocab_size, d_model);
    ex_end();
}

void exercise_cases(void)
{
    static const double hidden[] = {1, -2, 0.5, 4, 0, -1, 3, 2, 5};
    one("the example", (const double[]){3, 1}, 1, 0, NULL, 1, 3, 2);
    one("the last of three rows", hidden, 3, 2, NULL, 1, 4, 3);
    one("as many tokens as columns", hidden, 3, 1, NULL, 1, 3, 3);
    one("tied, and an lm_head in the file all the same", hidden, 3, 0, other, 1, 4, 3);
    one("not tied", hidden, 3, 1, other, 0, 4, 3);
    one("a row of zeros", (const double[]){0, 0, 7, 7}, 2, 0, NULL, 1, 3, 2);
    one("a vocabulary of one", hidden, 3, 2, NULL, 1, 1, 3);
}
