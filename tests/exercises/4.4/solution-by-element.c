#include "exercises.h"

/* Walks the fused array once and asks where each element belongs. */
void split_gate_up(float *gate, float *up, const float *fused, int n_tokens, int d_ff)
{
    for (int i = 0; i < n_tokens * 2 * d_ff; i++) {
        int token = i / (2 * d_ff);
        int column = i % (2 * d_ff);
        if (column < d_ff) {
            gate[token * d_ff + column] = fused[i];
        } else {
            up[token * d_ff + column - d_ff] = fused[i];
        }
    }
}
