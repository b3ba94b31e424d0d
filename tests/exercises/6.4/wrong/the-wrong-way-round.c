#include "exercises.h"

void penalize_repeats(float *logits, int vocab_size, const int *history, int n_history, double penalty)
{
    for (int id = 0; id < vocab_size; id++) {
        int seen = 0;
        for (int i = 0; i < n_history; i++) {
            seen |= history[i] == id;
        }
        if (seen) {
            logits[id] =
                (float)(logits[id] <= 0 ? (double)logits[id] / penalty : (double)logits[id] * penalty);
        }
    }
}
