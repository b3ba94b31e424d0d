/* main.c: Qwen2.5 from a folder of files to a story.
 * The whole model is chapters 1 to 5: chapter 3's rotation, chapter 4's products and SwiGLU, chapter 5's block. What is
 * new here are the files (weights, configuration, tokenizer) and the loop that feeds a token back. */
#include "chapter6.h"

#include "common/matmul.h"
#include "common/program.h"

static const struct program_step steps[] = {
    {"Text becomes tokens", step_tokens,
     "How many tokens will the prompt be: as many as it has words, more, fewer?"},
    {"Tokens go through the layers", step_shapes, "How wide is a key, when a query is as wide as the model?"},
    {"Out comes a score for every token", step_likeliest,
     "Which word comes next, and how sure is the model?"},
    {"Draw one, append it, repeat", step_story,
     "How many tokens go through the layers for the tenth new word?"},
    {.title = NULL}};

static const struct program_data data_sets[] = {
    {"tokens", "index id piece", "the prompt's tokens", data_tokens},
    {"logits", "position id logit", "the whole vocabulary at every prompt position", data_logits},
    {"generated", "index position id logit", "the tokens that follow the prompt", data_generated},
    {"hidden", "layer operation position dimension value",
     "every value between the operations of every layer", data_hidden},
    {"next", "rank id piece model sampler", "the most likely next tokens, before and after the sampler",
     data_next},
    {"norms", "layer first_token other_tokens", "norm of the residual stream after every layer", data_norms},
    {"ablation", "fault perplexity", "perplexity with one part broken at a time", data_ablation},
    {"positions", "position trained_to_1024 trained_to_320 positions_scaled", "loss by position",
     data_positions},
    {NULL, NULL, NULL, NULL}};

static const struct program_figure figures[] = {
    {"next", "next", "a few tokens hold nearly all the probability"},
    {"ablation", "ablation", "what every part of the model is worth"},
    {"positions", "positions", "RoPE alone does not extrapolate; training on long text does"},
    {"norms", "norms", "the residual stream grows from layer to layer"},
    {NULL, NULL, NULL}};

static enum status check(void *settings, struct error *error)
{
    return session_open(settings, error);
}

/* The mode that the flags ask for. */
static enum status run(void *pointer, FILE *out, FILE *err, int *code, struct error *error)
{
    struct settings *s = pointer;
    enum status status = STATUS_OK;
    bool failed = false;
    if (s->mystery_given) {
        fprintf(out, "Mystery %d: the bundled model with one part broken.\n\n", s->mystery);
    }
    if (s->kernels) {
        matmul_list_kernels(out);
    } else if (s->chat) {
        status = chat_run(s, stdin, out, err, error);
    } else if (s->text) {
        status = print_text(s, out, err, error);
    } else if (s->trace) {
        status = trace_run(s, out, error);
    } else if (s->check) {
        status = check_run(s, out, &failed, error);
    } else if (s->verify) {
        status = verify_run(s, out, error);
    } else if (s->perplexity != NULL) {
        status = perplexity_run(s, out, error);
    } else if (s->positions != NULL) {
        status = positions_run(s, out, error);
    } else if (s->float64 != NULL) {
        status = float64_run(s, out, error);
    } else if (s->ablate) {
        status = ablate_run(s, out, error);
    } else if (s->mystery_given) {
        status = mystery_run(s, out, error);
    } else {
        return STATUS_OK; /* the walk-through */
    }
    *code = failed ? 1 : 0;
    return status;
}

int main(int argc, char **argv)
{
    static struct settings s = {
        .max_new_tokens = 200, .seed = 1, .temperature = 1, .top_p = 1, .repetition_penalty = 1};
    const struct option_spec options[] = {
        {.name = "model",
         .kind = OPTION_STRING,
         .target = &s.model,
         .value = "DIR",
         .help = "a Qwen2 or Qwen2.5 folder as downloaded (default the bundled tiny-stories)"},
        {.name = "prompt",
         .kind = OPTION_STRING,
         .target = &s.prompt,
         .value = "TEXT",
         .help = "the text to continue; '-' reads standard input byte for byte (default 'Once upon a time, "
                 "there was "
                 "a little')"},
        {.name = "ids",
         .kind = OPTION_STRING,
         .target = &s.ids,
         .value = "5,7,9",
         .help = "the prompt as token ids; needs no tokenizer"},
        {.name = "max-new-tokens",
         .letter = 'n',
         .kind = OPTION_INT,
         .target = &s.max_new_tokens,
         .given = &s.max_new_tokens_given,
         .min = 0,
         .max = 1e9,
         .value = "N",
         .help = "new tokens at most (default 200; --chat: until the context is full)"},
        {.name = "greedy", .kind = OPTION_FLAG, .target = &s.greedy, .help = "always the most likely token"},
        {.name = "temperature",
         .kind = OPTION_DOUBLE,
         .target = &s.temperature,
         .given = &s.temperature_given,
         .min = 0,
         .max = 1000,
         .value = "X",
         .help = "below 1: sharper, above 1: flatter; 0: greedy. This and the next three: default from "
                 "generation_config.json"},
        {.name = "top-k",
         .kind = OPTION_INT,
         .target = &s.top_k,
         .given = &s.top_k_given,
         .min = 0,
         .max = 1e9,
         .value = "K",
         .help = "draw from the K most likely; 0: from all"},
        {.name = "top-p",
         .kind = OPTION_DOUBLE,
         .target = &s.top_p,
         .given = &s.top_p_given,
         .min = 0,
         .max = 1,
         .min_exclusive = true,
         .value = "P",
         .help = "draw from the fewest tokens whose probability reaches P"},
        {.name = "repetition-penalty",
         .kind = OPTION_DOUBLE,
         .target = &s.repetition_penalty,
         .given = &s.repetition_penalty_given,
         .min = 0,
         .max = 1000,
         .min_exclusive = true,
         .value = "X",
         .help = "above 1: tokens seen before become less likely"},
        {.name = "seed", .kind = OPTION_SEED, .target = &s.seed, .value = "N", .help = "of the draws"},
        {.name = "context",
         .kind = OPTION_INT,
         .target = &s.context,
         .min = 0,
         .max = 1 << 24,
         .value = "N",
         .help = "tokens that the KV cache holds; 0: 4096, or what the model was trained on if that is less"},
        {.name = "threads",
         .kind = OPTION_INT,
         .target = &s.threads,
         .min = 0,
         .max = 1024,
         .value = "N",
         .help = "0: as many as the machine has; results are the same bits for any number"},
        {.name = "precision",
         .kind = OPTION_CHOICE,
         .target = &s.precision,
         .given = &s.precision_given,
         .choices = "full|bf16",
         .value = "P",
         .help =
             "of the activations that weights multiply: full: 16 bits or more (default); bf16: rounded to "
             "bfloat16, faster where the hardware multiplies bfloat16"},
        {.name = "huge-pages",
         .kind = OPTION_FLAG,
         .target = &s.huge_pages,
         .help = "copy the weights into pages of 2 MB, which are read faster (Linux)"},
        {.name = "text",
         .kind = OPTION_FLAG,
         .target = &s.text,
         .help = "print only the text that follows the prompt"},
        {.name = "chat",
         .kind = OPTION_FLAG,
         .target = &s.chat,
         .help = "a conversation: one turn a line, or several lines between two lines of \"\"\""},
        {.name = "system",
         .kind = OPTION_STRING,
         .target = &s.system,
         .value = "TEXT",
         .help = "the system message of --chat (default the model's own)"},
        {.name = "trace",
         .kind = OPTION_FLAG,
         .target = &s.trace,
         .help = "norm and first values of the residual stream after every layer"},
        {.name = "check",
         .kind = OPTION_FLAG,
         .target = &s.check,
         .help = "prefill = token by token = in two pieces = in a batch with others"},
        {.name = "verify",
         .kind = OPTION_FLAG,
         .target = &s.verify,
         .help = "read every weight once: whether all are finite numbers"},
        {.name = "perplexity",
         .kind = OPTION_STRING,
         .target = &s.perplexity,
         .value = "FILE",
         .help = "how well the model predicts a text"},
        {.name = "positions",
         .kind = OPTION_STRING,
         .target = &s.positions,
         .value = "FILE",
         .help = "loss by position of the bundled models"},
        {.name = "float64",
         .kind = OPTION_STRING,
         .target = &s.float64,
         .value = "FILE",
         .help = "how far the logits of a text are from float64, with every kernel of this machine"},
        {.name = "mystery",
         .kind = OPTION_INT,
         .target = &s.mystery,
         .given = &s.mystery_given,
         .min = 1,
         .max = MYSTERIES,
         .value = "N",
         .help =
             "the bundled model with a hidden fault, to be named: 1 to 10; alone or with --trace, --check or "
             "--perplexity"},
        {.name = "ablate",
         .kind = OPTION_FLAG,
         .target = &s.ablate,
         .help = "perplexity with one part broken at a time"},
        {.name = "windows",
         .kind = OPTION_INT,
         .target = &s.windows,
         .min = 0,
         .max = 1e9,
         .value = "N",
         .help =
             "windows of text that are scored; 0: all for --perplexity and --positions, 16 for --ablate, 2 "
             "for --mystery alone"},
        {.name = "kernels",
         .kind = OPTION_FLAG,
         .target = &s.kernels,
         .help = "the matrix kernels of this program and machine"},
        {.name = NULL}};
    const struct program program = {.name = "chapter6",
                                    .short_name = "ch6",
                                    .title = "Chapter 6 · Qwen2.5: from a folder of files to a story",
                                    .options = options,
                                    .settings = &s,
                                    .check = check,
                                    .heading = print_heading,
                                    .closing = print_closing,
                                    .check_data = session_check_data,
                                    .run = run,
                                    .steps = steps,
                                    .data = data_sets,
                                    .figures = figures};
    int code = program_run(&program, argc, argv, stdout, stderr);
    session_close(&s.session);
    return code == 0 && interrupt_noted() ? 130 : code;
}
