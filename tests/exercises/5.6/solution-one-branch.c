#include "exercises.h"

/* Both halves are the same: out = stream + branch(norm(stream)). */
static void add_branch(double *out, const double *stream, int n, part_function norm, part_function branch,
                       double *scratch)
{
    norm(scratch, stream, n);
    branch(scratch, scratch, n);
    for (int i = n - 1; i >= 0; i--) {
        out[i] = scratch[i] + stream[i];
    }
}

void pre_norm_block(double *out, const double *x, int n, part_function attention_norm,
                    part_function attention, part_function ffn_norm, part_function ffn, double *scratch)
{
    add_branch(out, x, n, attention_norm, attention, scratch);
    add_branch(out, out, n, ffn_norm, ffn, scratch);
}
