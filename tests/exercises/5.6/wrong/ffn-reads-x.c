#include "exercises.h"

void pre_norm_block(double *out, const double *x, int n, part_function attention_norm,
                    part_function attention, part_function ffn_norm, part_function ffn, double *scratch)
{
    attention_norm(scratch, x, n);
    attention(scratch, scratch, n);
    for (int i = 0; i < n; i++) {
        out[i] = x[i] + scratch[i];
    }
    ffn_norm(scratch, x, n);
    ffn(scratch, scratch, n);
    for (int i = 0; i < n; i++) {
        out[i] += scratch[i];
    }
}
