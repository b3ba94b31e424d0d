#include "exercises.h"

void split_gate_up(float *gate, float *up, const float *fused, int n_tokens, int d_ff)
{
    for (int i = 0; i < n_tokens * d_ff; i++) {
        gate[i] = fused[2 * i];
        up[i] = fused[2 * i + 1];
    }
}
