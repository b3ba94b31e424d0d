#include "exercises.h"

/* Along the history, passing over what stood there before. A factor in float32. */
void penalize_repeats(float *logits, int vocab_size, const int *history, int n_history, double penalty)
{
    for (int i = 0; i < n_history; i++) {
        int id = history[i];
        int earlier = 0;
        while (history[earlier] != id) {
            earlier++;
        }
        if (earlier == i && id >= 0 && id < vocab_size) {
            logits[id] *= (float)(logits[id] > 0 ? 1 / penalty : penalty);
        }
    }
}
