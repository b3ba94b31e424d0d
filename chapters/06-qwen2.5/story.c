/* story.c: the walk-through. The prompt becomes tokens, the tokens go through the layers, out come logits; drawing one
 * token and feeding it back makes a story. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chapter6.h"
#include "common/require.h"

void print_heading(void *settings, FILE *out)
{
    const struct settings *s = settings;
    const struct session *session = &s->session;
    const struct model_config *c = &session->model.config;
    const struct sampler_settings *sampling = &session->sampling;
    const char *slash = strrchr(session->folder, '/');
    fprintf(out, "%s: %zu parameters, %d layers of width %d,\n",
            slash != NULL && slash[1] != '\0' ? slash + 1 : session->folder,
            qwen2_parameters(&session->model), c->n_layers, c->d_model);
    fprintf(out, "%d query and %d key/value heads of %d, context %d\n", c->n_heads, c->n_kv_heads,
            c->head_dim, session->context);
    if (sampling->greedy) {
        fprintf(out, "greedy, repetition penalty %g\n", sampling->repetition_penalty);
    } else {
        fprintf(out, "temperature %g, top-k %d, top-p %g, repetition penalty %g, seed %llu\n",
                sampling->temperature, sampling->top_k, sampling->top_p, sampling->repetition_penalty,
                (unsigned long long)s->seed);
    }
}

enum status step_tokens(void *settings, FILE *out, struct error *error)
{
    enum { HEAD = 14, TAIL = 4 };
    const struct session *session = &((const struct settings *)settings)->session;
    const struct token_ids *prompt = &session->prompt;
    (void)error;
    fprintf(out, "   The model reads ids, not letters: pieces of text from a vocabulary of %d.\n\n",
            session->model.config.vocab_size);
    fprintf(out, "     position      id  piece\n");
    for (size_t i = 0; i < prompt->n; i++) {
        if (prompt->n > HEAD + TAIL && i == HEAD) {
            fprintf(out, "          ...\n");
            i = prompt->n - TAIL;
        }
        fprintf(out, "     %8zu  %6d  ", i, (int)prompt->id[i]);
        write_piece(out, session, prompt->id[i]);
        fputc('\n', out);
    }
    fprintf(out, "\n   A space belongs to the word after it. Try  --prompt \"O'Reilly  said\"\n");
    return STATUS_OK;
}

/* What happens in each operation, and which chapter made it. */
static const struct {
    const char *operation, *note;
} notes[] = {{"embed_tokens", "each id's row of the embedding"},
             {"input_layernorm", "RMSNorm (chapter 5)"},
             {"q_proj", "queries: x W_q^T + b_q (chapter 4)"},
             {"k_proj", "keys, fewer heads"},
             {"v_proj", "values, never rotated"},
             {"q_rotated", "RoPE by position (chapter 3)"},
             {"k_rotated", "and into the KV cache"},
             {"attention", "softmax(q k / sqrt(head_dim)) v"},
             {"o_proj", "back to the width of the model"},
             {"residual", "added to what came in"},
             {"post_attention_layernorm", "RMSNorm again"},
             {"mlp.gate_proj", "SwiGLU's gate (chapter 4)"},
             {"mlp.up_proj", "and what it lets through"},
             {"mlp.act", "silu(gate) * up"},
             {"mlp.down_proj", "back to the width of the model"},
             {"output", "added: what the next layer gets"}};

struct shapes {
    FILE *out;
    int n_layers;
    int passes; /* a long prompt goes in several; the first is shown */
};

static void write_shape(FILE *out, const char *indent, const char *name, int n_rows, int n_cols,
                        const char *note)
{
    char shape[32];
    snprintf(shape, sizeof shape, "[%d, %d]", n_rows, n_cols);
    int used = fprintf(out, "%s%s", indent, name);
    fprintf(out, "%*s%-11s %s\n", 34 - used, "", shape, note);
}

static void print_shape(void *context, const char *operation, int layer, float *values, int n_rows,
                        int n_cols, size_t stride)
{
    struct shapes *shapes = context;
    const char *note = "RMSNorm; the last row counts";
    (void)values;
    (void)stride;
    shapes->passes += strcmp(operation, "embed_tokens") == 0;
    if (shapes->passes > 1 || (layer > 0 && layer < shapes->n_layers)) {
        return; /* as the first */
    }
    for (size_t i = 0; i < sizeof notes / sizeof notes[0] && layer < shapes->n_layers; i++) {
        if (strcmp(notes[i].operation, operation) == 0) {
            note = notes[i].note;
        }
    }
    write_shape(shapes->out, layer == 0 ? "       " : "     ", operation, n_rows, n_cols, note);
    if (layer < 0) {
        fprintf(shapes->out, "     layer 1 of %d, the others likewise:\n", shapes->n_layers);
    }
}

/* Prefills the prompt; logits [vocab_size], the caller's to free. */
static enum status prompt_logits(const struct settings *s, const struct hook *hook, float **logits,
                                 struct error *error)
{
    size_t bytes = (size_t)s->session.model.config.vocab_size * sizeof **logits;
    struct generator g;
    enum status status = generator_init(&g, s, error);
    if (status != STATUS_OK) {
        return status;
    }
    *logits = malloc(bytes);
    status = *logits == NULL ? error_no_memory(error, "logits", bytes)
                             : generator_prefill(&g, &s->session, hook, *logits, error);
    generator_free(&g);
    if (status != STATUS_OK) {
        free(*logits);
    }
    return status;
}

enum status step_shapes(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    const struct session *session = &s->session;
    const struct model_config *c = &session->model.config;
    struct shapes shapes = {out, c->n_layers, 0};
    struct hook hook = {.call = print_shape, .context = &shapes};
    float *logits = NULL;
    enum status status = prompt_logits(s, &hook, &logits, error);
    if (status != STATUS_OK) {
        return status;
    }
    free(logits);
    write_shape(out, "     ", c->tied_head ? "head (the embedding again)" : "lm_head", 1, c->vocab_size,
                "one logit for every token there is");
    size_t per_token = kv_cache_bytes_per_token(c->n_layers, c->n_kv_heads, c->head_dim);
    fprintf(out,
            "\n   A new token reads all %.1f MB of weights once, and adds %zu bytes to the\n"
            "   KV cache. See what comes out of every layer:  ./chapter6 --trace\n",
            (double)qwen2_weight_bytes(&session->model) / 1e6, per_token);
    return STATUS_OK;
}

enum status step_likeliest(void *settings, FILE *out, struct error *error)
{
    enum { SHOWN = 5 };
    const struct settings *s = settings;
    const struct session *session = &s->session;
    int vocab_size = session->model.config.vocab_size;
    int n = vocab_size < SHOWN ? vocab_size : SHOWN;
    struct candidate top[SHOWN];
    float *logits = NULL;
    enum status status = prompt_logits(s, NULL, &logits, error);
    if (status != STATUS_OK) {
        return status;
    }
    sampler_top(top, n, logits, vocab_size);
    fprintf(out,
            "   The five most likely of %d, after the last token of the prompt:\n\n"
            "     logit    probability  piece\n",
            vocab_size);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        fprintf(out, "     %-7.4f  %-11.4f  ", (double)logits[top[i].id], (double)top[i].value);
        write_piece(out, session, top[i].id);
        fprintf(out, " (%d)\n", (int)top[i].id);
        sum += (double)top[i].value;
    }
    fprintf(out,
            "\n   Together %.1f%%. The probability is softmax(logits): chapter 5's softmax,\n"
            "   over the vocabulary. See it:  ./chapter6 --plot next\n",
            100 * sum);
    free(logits);
    return STATUS_OK;
}

void print_closing(void *settings, FILE *out)
{
    (void)settings;
    if (interrupt_noted()) {
        return;
    }
    fputs("Try  --seed 2, --greedy, --temperature 1.5     another story\n"
          "     --chat                                    Tell me a story about a dog.\n"
          "     --check              one pass, token by token, in a batch: the same\n"
          "     --ablate             break one part at a time: what is each worth?\n"
          "     --plot positions     does RoPE extrapolate?\n"
          "     make model           a model that knows more than stories; then\n"
          "                          ./chapter6 --model models/Qwen2.5-0.5B-Instruct --chat\n"
          "Nothing is missing any more: this is all that such a model is.\n",
          out);
}
