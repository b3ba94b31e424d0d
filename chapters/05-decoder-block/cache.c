/* What is kept between tokens: how much it is, and that nothing else is needed. */
#include <math.h>
#include <string.h>

#include "chapters/05-decoder-block/steps.h"

/* ---- Heads and bytes ---------------------------------------------------------------------------------------------- */

static enum status print_block_row(const struct settings *s, FILE *out, const char *name, int n_kv_heads,
                                   struct error *error)
{
    struct lab lab;
    lab_begin(&lab, s, FORM_QWEN, n_kv_heads, 1);
    if (lab_ok(&lab)) {
        fprintf(out, "     %-14s %8d %10d %12zu %14zu\n", name, n_kv_heads, s->n_heads / n_kv_heads,
                lab.n_parameters, kv_cache_bytes_per_token(1, n_kv_heads, lab.config.head_dim));
    }
    return lab_end(&lab, error);
}

/* Qwen2.5-0.5B: 24 layers, head_dim 64 (its config.json); float32 in the cache. */
static void print_qwen_row(FILE *out, const char *name, int n_kv_heads)
{
    size_t bytes = kv_cache_bytes_per_token(24, n_kv_heads, 64);
    fprintf(out, "     %-14s %8d %10d %12zu %10.2f GiB\n", name, n_kv_heads, 14 / n_kv_heads, bytes,
            (double)bytes * 32768.0 / 1073741824.0);
}

enum status step_heads(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    fprintf(out,
            "   %d query heads share n_kv_heads key/value heads, neighbours together.\n\n"
            "     this block     kv heads  q per kv   parameters    bytes a token\n",
            s->n_heads);
    enum status status = print_block_row(s, out, "multi-head", s->n_heads, error);
    if (status == STATUS_OK && s->n_kv_heads != s->n_heads && s->n_kv_heads != 1) {
        status = print_block_row(s, out, "grouped", s->n_kv_heads, error);
    }
    if (status == STATUS_OK) {
        status = print_block_row(s, out, "multi-query", 1, error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    fprintf(out, "\n     Qwen2.5-0.5B   kv heads  q per kv  bytes a token   32768 tokens\n");
    print_qwen_row(out, "multi-head", 14);
    print_qwen_row(out, "as it is", 2);
    print_qwen_row(out, "multi-query", 1);
    return STATUS_OK;
}

/* ---- One token at a time -------------------------------------------------------------------------------------------- */

/* Runs the tokens in pieces of the given size; the outputs follow each other in the result. */
static float *run_in_pieces(struct lab *lab, const float *tokens, int n_tokens, int piece, int shift)
{
    size_t width = (size_t)lab->config.d_model;
    float *all = lab_floats(lab, (size_t)n_tokens * width);
    for (int from = 0; from < n_tokens && lab_ok(lab); from += piece) {
        int n = n_tokens - from < piece ? n_tokens - from : piece;
        const float *rows = tokens + (size_t)from * width;
        struct pass pass = {.n_tokens = n, .shift = from > 0 ? shift : 0};
        float *out = from == 0 ? lab_run_fresh(lab, rows, &pass) : lab_run(lab, rows, &pass);
        if (lab_ok(lab)) {
            memcpy(all + (size_t)from * width, out, (size_t)n * width * sizeof *all);
        }
    }
    return all;
}

enum status step_decode(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    size_t n = (size_t)s->seq_len * (size_t)s->d_model;
    struct lab lab;
    lab_begin(&lab, s, FORM_QWEN, 0, s->seq_len);
    float *tokens = lab_tokens(&lab, s->seq_len, s->seed + 1);
    float *whole = run_in_pieces(&lab, tokens, s->seq_len, s->seq_len, 0);
    float *halves = run_in_pieces(&lab, tokens, s->seq_len, (s->seq_len + 1) / 2, 0);
    float *single = run_in_pieces(&lab, tokens, s->seq_len, 1, 0);
    float *off_by_one = run_in_pieces(&lab, tokens, s->seq_len, 1, 1);
    if (lab_ok(&lab)) {
        fprintf(out,
                "   Largest difference from one pass over all %d tokens:\n\n"
                "     in two pieces                            %.1g\n"
                "     one by one                               %.1g\n"
                "     one by one, decode positions off by one  %.3f\n\n",
                s->seq_len, largest_difference(whole, halves, n), largest_difference(whole, single, n),
                largest_difference(whole, off_by_one, n));
        fprintf(out,
                "   Prefill, decode and a batch are lists of tokens to the same function. Without\n"
                "   a cache the %d tokens would have cost %d passes of one token, not %d.\n",
                s->seq_len, s->seq_len * (s->seq_len + 1) / 2, s->seq_len);
    }
    return lab_end(&lab, error);
}
