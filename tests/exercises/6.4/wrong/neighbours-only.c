#include "exercises.h"

/* Passes over a repeated id only where it follows itself. */
void penalize_repeats(float *logits, int vocab_size, const int *history, int n_history, double penalty)
{
    for (int i = 0; i < n_history; i++) {
        int id = history[i];
        if (id >= 0 && id < vocab_size && (i == 0 || history[i - 1] != id)) {
            logits[id] = (float)(logits[id] > 0 ? (double)logits[id] / penalty : (double)logits[id] * penalty);
        }
    }
}
