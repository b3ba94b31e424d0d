#include "exercises.h"

/* Column by column, in float32. */
void logits_of_row(double *logit, const double *hidden, int row, const double *embedding,
                   const double *lm_head, int tied, int vocab_size, int d_model)
{
    if (tied) {
        lm_head = embedding;
    }
    for (int v = 0; v < vocab_size; v++) {
        logit[v] = 0;
    }
    for (int i = d_model - 1; i >= 0; i--) {
        float x = (float)hidden[row * d_model + i];
        for (int v = 0; v < vocab_size; v++) {
            logit[v] = (float)logit[v] + x * (float)lm_head[v * d_model + i];
        }
    }
}
