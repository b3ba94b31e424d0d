#include "exercises.h"

void split_gate_up(float *gate, float *up, const float *fused, int n_tokens, int d_ff)
{
    for (int i = 0; i < n_tokens * d_ff; i++) {
        gate[i] = fused[i];
        up[i] = fused[n_tokens * d_ff + i];
    }
}
