#include "exercises.h"

void split_gate_up(float *gate, float *up, const float *fused, int n_tokens, int d_ff)
{
    for (int i = 0; i < n_tokens * d_ff; i++) {
        int token = i / d_ff;
        int c = i % d_ff;
        gate[i] = fused[token * 2 * d_ff + d_ff + c];
        up[i] = fused[token * 2 * d_ff + c];
    }
}
