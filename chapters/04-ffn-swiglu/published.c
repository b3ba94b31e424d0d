/* Step 9: what was measured on whole language models, by others. */
#include "chapter4.h"

/* Shazeer 2020, table 1: log-perplexity on held-out text (C4), T5 base, all with as many parameters as d_model 768 and
 * d_ff 3072 without a gate; the deviation is that of four runs of 65536 steps. */
static const struct {
    const char *name;
    double short_run, deviation, long_run;
} published[] = {
    {"ReLU", 1.997, 0.005, 1.677},     {"GELU", 1.983, 0.005, 1.679}, {"Swish = SiLU", 1.994, 0.003, 1.683},
    {"bilinear", 1.960, 0.005, 1.648}, {"GLU", 1.982, 0.006, 1.663},  {"GEGLU", 1.942, 0.004, 1.633},
    {"SwiGLU", 1.944, 0.010, 1.636},
};

enum status step_published(void *settings, FILE *out, struct error *error)
{
    (void)settings;
    (void)error;
    fprintf(out, "   One small layer, and targets that we chose: it shows how to compare fairly,\n"
                 "   and that the target matters. It says nothing about text. For that, whole\n"
                 "   models were trained (Shazeer 2020, arXiv 2002.05202, table 1: log-perplexity\n"
                 "   on held-out text, equal parameters; lower is better):\n\n"
                 "                      65536 steps   524288 steps\n");
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        fprintf(out, "   %-14s %.3f (deviation %.3f) %8.3f\n", published[i].name, published[i].short_run,
                published[i].deviation, published[i].long_run);
    }
    fprintf(out, "\n   There every gate is ahead after the long run, and GEGLU and SwiGLU are level.\n"
                 "   The paper offers no reason, and repeats only the short runs: good evidence\n"
                 "   for one model and one data set, not a theorem.\n");
    return STATUS_OK;
}
