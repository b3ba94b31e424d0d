#include "exercises.h"

void logits_of_row(double *logit, const double *hidden, int row, const double *embedding,
                   const double *lm_head, int tied, int vocab_size, int d_model)
{
    const double *head = tied ? embedding : lm_head, *h = hidden + row * d_model;
    for (int v = 0; v < vocab_size; v++) {
        logit[v] = 0;
        for (int i = 0; i < d_model; i++) {
            logit[v] += h[i] * head[v * d_model + i];
        }
    }
}
