/* The multi-head block and Qwen2.5's: one function, two sets of weights; and what training adds. */
#include <math.h>

#include "chapters/05-decoder-block/steps.h"
#include "common/rng.h"

/* Prints the two columns; both labs are open. */
static void print_forms(FILE *out, struct lab *multi_head, struct lab *qwen)
{
    const struct settings *s = multi_head->settings;
    const struct pass pass = {.n_tokens = s->seq_len};
    size_t n = (size_t)s->seq_len * (size_t)s->d_model;
    float *from_multi_head = lab_run(multi_head, lab_tokens(multi_head, s->seq_len, s->seed + 1), &pass);
    float *from_qwen = lab_run(qwen, lab_tokens(qwen, s->seq_len, s->seed + 1), &pass);
    if (!lab_ok(multi_head) || !lab_ok(qwen)) {
        return;
    }
    fprintf(out, "                        multi-head           Qwen2.5\n");
    fprintf(out, "     query/kv heads     %d / %-16d %d / %d\n", s->n_heads, s->n_heads, s->n_heads,
            s->n_kv_heads);
    fprintf(out, "     biases             Q K V O, FFN         Q K V\n"
                 "     gate and up        rows of one matrix   two matrices\n");
    fprintf(out, "     eps of the norms   %-20.0e %.0e\n", multi_head->config.rms_norm_eps,
            qwen->config.rms_norm_eps);
    fprintf(out, "     parameters         %-20zu %zu\n", multi_head->n_parameters, qwen->n_parameters);
    fprintf(out, "     rms of the output  %-20.2f %.2f\n", root_mean_square(from_multi_head, n),
            root_mean_square(from_qwen, n));
}

/* The share of elements that are exactly 0, of those that the mask lets be anything else. */
static double share_of_zeros(const float *x, size_t n, size_t n_hidden)
{
    size_t zeros = 0;
    for (size_t i = 0; i < n; i++) {
        zeros += x[i] == 0.0F;
    }
    return (double)(zeros - n_hidden) / (double)(n - n_hidden);
}

/* Elements that a branch left as they were. */
static double share_unchanged(const float *before, const float *after, size_t n)
{
    size_t same = 0;
    for (size_t i = 0; i < n; i++) {
        same += before[i] == after[i];
    }
    return (double)same / (double)n;
}

static float *train_once(struct lab *lab, const float *tokens, uint64_t seed, struct capture *captures,
                         int n_captures)
{
    struct rng rng;
    struct decoder_block_training training = {lab->settings->dropout, &rng};
    rng_init(&rng, seed);
    return lab_run_fresh(lab, tokens,
                         &(struct pass){.n_tokens = lab->settings->seq_len,
                                        .training = &training,
                                        .captures = captures,
                                        .n_captures = n_captures});
}

/* The multi-head form in training: what is dropped, and what is the same twice. */
static void print_dropout(FILE *out, struct lab *lab)
{
    const struct settings *s = lab->settings;
    size_t n = (size_t)s->seq_len * (size_t)s->d_model;
    size_t hidden_weights = (size_t)s->n_heads * (size_t)(s->seq_len * (s->seq_len - 1) / 2);
    struct capture c[] = {
        {.operation = "attention.weights"}, {.operation = "residual"}, {.operation = "mlp.act"}};
    float *tokens = lab_tokens(lab, s->seq_len, s->seed + 1);
    float *trained = train_once(lab, tokens, s->seed, c, 3);
    float *again = train_once(lab, tokens, s->seed, NULL, 0);
    float *other = train_once(lab, tokens, s->seed + 1, NULL, 0);
    float *inference = lab_run_fresh(lab, tokens, &(struct pass){.n_tokens = s->seq_len});
    float *inference_again = lab_run_fresh(lab, tokens, &(struct pass){.n_tokens = s->seq_len});
    if (!lab_ok(lab)) {
        return;
    }
    size_t n_weights = (size_t)c[0].n_rows * (size_t)c[0].n_cols,
           n_act = (size_t)c[2].n_rows * (size_t)c[2].n_cols;
    fprintf(out, "\n   While training, at rate %g, dropout switched off of\n", s->dropout);
    fprintf(out, "     the attention weights  %.3f     the attention branch  %.3f\n",
            share_of_zeros(c[0].values, n_weights, hidden_weights), share_unchanged(tokens, c[1].values, n));
    fprintf(out, "     the FFN's hidden layer %.3f     the FFN branch        %.3f\n",
            share_of_zeros(c[2].values, n_act, 0), share_unchanged(c[1].values, trained, n));
    fprintf(out,
            "   Twice with one seed the outputs differ by %g, with another seed by %.3f;\n"
            "   at inference nothing is dropped: twice differs by %g.\n",
            largest_difference(trained, again, n), largest_difference(trained, other, n),
            largest_difference(inference, inference_again, n));
}

enum status step_forms(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    struct lab multi_head, qwen;
    struct error of_qwen;
    lab_begin(&multi_head, s, FORM_MULTI_HEAD, s->n_heads, s->seq_len);
    lab_begin(&qwen, s, FORM_QWEN, 0, s->seq_len);
    print_forms(out, &multi_head, &qwen);
    print_dropout(out, &multi_head);
    enum status status = lab_end(&multi_head, error);
    if (lab_end(&qwen, &of_qwen) != STATUS_OK && status == STATUS_OK) {
        *error = of_qwen;
        return of_qwen.status;
    }
    return status;
}
