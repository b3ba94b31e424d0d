/* Step 6: how wide a gated layer may be for the same number of parameters. */
#include "chapter4.h"
#include "common/ffn.h"

static void print_width(FILE *out, const char *name, int d_model, int d_ff, int n_matrices)
{
    long long parameters = (long long)n_matrices * d_model * d_ff;
    fprintf(out, "   %-34s %7d %7d %7.2f %11lld\n", name, d_model, d_ff, (double)d_ff / d_model, parameters);
}

enum status step_parameters(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    (void)error;
    const int llama = 4096; /* LLaMA 7B's d_model; Touvron et al. 2023 */
    const int qwen = 896;   /* Qwen2.5-0.5B's hidden_size and intermediate_size, from its config.json */
    const int qwen_ff = 4864;
    int qwen_rule = ffn_gated_width(4 * qwen, 128);
    fprintf(out, "   A gate is a third matrix. With 2/3 of the width, three matrices have as many\n"
                 "   parameters as two: d_ff = 4 d becomes 8/3 d, rounded up to a multiple.\n\n"
                 "                                      d_model    d_ff   ratio  parameters\n");
    print_width(out, "here, without a gate", s->d_model, s->d_ff, 2);
    print_width(out, "here, with a gate", s->d_model, ffn_gated_width(s->d_ff, 1), 3);
    print_width(out, "4 d without a gate", llama, 4 * llama, 2);
    print_width(out, "8/3 d with a gate (LLaMA 7B: x256)", llama, ffn_gated_width(4 * llama, 256), 3);
    print_width(out, "8/3 d with a gate, multiple of 128", qwen, qwen_rule, 3);
    print_width(out, "Qwen2.5-0.5B, from its file", qwen, qwen_ff, 3);
    fprintf(out,
            "\n   Qwen2.5-0.5B does not follow the rule: it spends %.2f times as much here.\n"
            "   Equal parameters are a fair start for a comparison, not a law of design.\n",
            (double)qwen_ff / qwen_rule);
    return STATUS_OK;
}
