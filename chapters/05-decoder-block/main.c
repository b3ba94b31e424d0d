/* Chapter 5: one layer of the model, from the residual stream back into it. */
#include "chapters/05-decoder-block/steps.h"
#include "common/matmul.h"
#include "common/program.h"

static void heading(void *settings, FILE *out)
{
    const struct settings *s = settings;
    fprintf(out, "d_model %d, n_heads %d, n_kv_heads %d, head_dim %d, d_ff %d, seq_len %d,\n", s->d_model,
            s->n_heads, s->n_kv_heads, s->d_model / s->n_heads, s->d_ff, s->seq_len);
    fprintf(out, "dropout %g, seed %llu; random weights\n", s->dropout, (unsigned long long)s->seed);
}

static void closing(void *settings, FILE *out)
{
    (void)settings;
    fputs("Try  --n-kv-heads 1      multi-query: step 8 halves the cache again\n"
          "     --n-kv-heads 4      multi-head\n"
          "     --seq-len 200       step 9: what a cache saves\n"
          "     --dropout 0.5       step 11: half of everything\n"
          "Still missing: weights that mean something. A tokenizer, trained matrices, many\n"
          "of these blocks and a head make a language model: chapter 6 runs one.\n",
          out);
}

static enum status check(void *settings, struct error *error)
{
    const struct settings *s = settings;
    if (s->d_model % s->n_heads != 0 || s->d_model / s->n_heads % 2 != 0) {
        return error_set(error, STATUS_USAGE,
                         "--d-model %d --n-heads %d: d_model must be n_heads times an even head_dim",
                         s->d_model, s->n_heads);
    }
    if (s->n_heads % s->n_kv_heads != 0) {
        return error_set(error, STATUS_USAGE,
                         "--n-heads %d --n-kv-heads %d: n_heads must be a multiple of n_kv_heads", s->n_heads,
                         s->n_kv_heads);
    }
    return matmul_choose_kernel(NULL, error);
}

int main(int argc, char **argv)
{
    struct settings s = {
        .d_model = 64, .n_heads = 4, .n_kv_heads = 2, .d_ff = 176, .seq_len = 8, .dropout = 0.1, .seed = 1};
    const struct option_spec options[] = {{.name = "d-model",
                                           .kind = OPTION_INT,
                                           .target = &s.d_model,
                                           .min = 2,
                                           .max = 1024,
                                           .value = "N",
                                           .help = "width of the residual stream"},
                                          {.name = "n-heads",
                                           .kind = OPTION_INT,
                                           .target = &s.n_heads,
                                           .min = 1,
                                           .max = 64,
                                           .value = "N",
                                           .help = "query heads; head_dim = d_model / n_heads, even"},
                                          {.name = "n-kv-heads",
                                           .kind = OPTION_INT,
                                           .target = &s.n_kv_heads,
                                           .min = 1,
                                           .max = 64,
                                           .value = "N",
                                           .help = "key/value heads; divides n_heads"},
                                          {.name = "d-ff",
                                           .kind = OPTION_INT,
                                           .target = &s.d_ff,
                                           .min = 1,
                                           .max = 8192,
                                           .value = "N",
                                           .help = "width of the feed-forward layer"},
                                          {.name = "seq-len",
                                           .kind = OPTION_INT,
                                           .target = &s.seq_len,
                                           .min = 2,
                                           .max = 512,
                                           .value = "N",
                                           .help = "tokens in the sequence"},
                                          {.name = "dropout",
                                           .kind = OPTION_DOUBLE,
                                           .target = &s.dropout,
                                           .min = 0,
                                           .max = 0.99,
                                           .value = "P",
                                           .help = "rate while training (step 11)"},
                                          {.name = "seed",
                                           .kind = OPTION_SEED,
                                           .target = &s.seed,
                                           .value = "N",
                                           .help = "of the random weights, tokens and dropout"},
                                          {.name = NULL}};
    static const struct program_step steps[] = {
        {"The way through one block", step_shapes, "Which operation of the block has the most columns?"},
        {"One head: scores, then weights", step_query, "What do the weights of one row sum to?"},
        {"Masks: 0 hides a key", step_masks, "A row that may see nothing: what does attention give it?"},
        {"The future changes nothing before it", step_future,
         "Change the last token: by how much do the earlier outputs change?"},
        {"Only distances count", step_shift,
         "Move all positions on by 1000: by how much does the output change?"},
        {"The score keeps to the distance, the weight does not", step_prefix,
         "Same pair, same distance, longer prefix: does the score change? The weight?"},
        {"What a causal mask alone can tell", step_identical,
         "All tokens equal, no encoding: do the outputs of the positions differ?"},
        {"Fewer key/value heads, a smaller cache", step_heads,
         "14 query heads, 2 key/value heads: how many times smaller is the cache?"},
        {"One token at a time", step_decode, "Token by token with a cache, or all at once: how far apart?"},
        {"The residual stream grows, the norm hides it", step_stream,
         "Does the residual stream grow or shrink through the layers?"},
        {"Two forms and training, one code path", step_forms, "What does dropout change at inference?"},
        {NULL, NULL, NULL}};
    static const struct program_data data[] = {
        {"shapes", "operation n_rows n_cols rms", "every operation of the block", data_shapes},
        {"attention", "head query key weight", "attention weights of up to 24 tokens", data_attention},
        {"masks", "mask name query key visible", "six masks on 8 keys", data_masks},
        {"prefix", "prefix n_keys score weight even_weight output_change", "one pair after growing prefixes",
         data_prefix},
        {"identical", "m first_weight even_weight change change_behind", "one word repeated, no encoding",
         data_identical},
        {"stream", "layer stream normed attention ffn", "rms in a stack of 16 random blocks", data_stream},
        {NULL, NULL, NULL, NULL}};
    static const struct program_figure figures[] = {
        {"attention", "attention", "every head weighs the past in its own way"},
        {"masks", "masks", "prefill, padding, packing and decoding are masks"},
        {"prefix", "prefix", "the score stays, the weight falls with every key"},
        {NULL, NULL, NULL}};
    const struct program program = {.name = "chapter5",
                                    .short_name = "ch5",
                                    .title =
                                        "Chapter 5 · The decoder block: attention and FFN around one stream",
                                    .options = options,
                                    .settings = &s,
                                    .check = check,
                                    .heading = heading,
                                    .closing = closing,
                                    .steps = steps,
                                    .data = data,
                                    .figures = figures};
    return program_run(&program, argc, argv, stdout, stderr);
}
