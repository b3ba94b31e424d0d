/* The project's side of chapter6-yours: common/ behind the chapter's tasks. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/bf16.h"
#include "common/generate.h"
#include "common/sampler.h"
#include "common/text_stream.h"
#include "yours_model.h"

static void project_widen(float *out, const uint16_t *bits, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = bf16_to_f32(bits[i]);
    }
}

static uint64_t project_place(void)
{
    const struct safetensors *files = &bundled.model.files;
    return (uint64_t)(safetensors_find(files, "model.embed_tokens.weight")->data - files->files[0].data);
}

static int project_encode(int *token, const char *word)
{
    struct bpe_workspace workspace = {0};
    struct token_ids ids = {0};
    if (bpe_encode(&bundled.tokenizer.bpe, word, strlen(word), &workspace, &ids, NULL) != STATUS_OK) {
        abort();
    }
    int n = (int)ids.n;
    for (int i = 0; i < n; i++) {
        token[i] = ids.id[i];
    }
    token_ids_free(&ids);
    bpe_workspace_free(&workspace);
    return n;
}

static void project_logits(float *logits)
{
    bundled_pass(logits, NULL, prompt, N_PROMPT);
}

static struct sampler open_sampler(double penalty, double top_p, bool greedy)
{
    struct sampler sampler;
    const struct sampler_settings settings = {
        .greedy = greedy, .temperature = 1, .top_p = top_p, .repetition_penalty = penalty};
    if (sampler_init(&sampler, &settings, VOCAB_SIZE, 1, NULL) != STATUS_OK) {
        abort();
    }
    return sampler;
}

static void project_penalize(float *logits, int vocab_size, const int *history, int n_history, double penalty)
{
    static float probability[VOCAB_SIZE];
    struct sampler sampler = open_sampler(penalty, 1, false);
    (void)vocab_size; /* the model's */
    for (int i = 0; i < n_history; i++) {
        sampler_see(&sampler, history[i]);
    }
    sampler_probabilities(&sampler, probability, logits);
    sampler_free(&sampler);
}

static void project_top_p(double *out, const double *probability, int n, double top_p)
{
    static float logits[VOCAB_SIZE], kept[VOCAB_SIZE];
    struct sampler sampler = open_sampler(1, top_p, false);
    for (int i = 0; i < n; i++) {
        logits[i] = (float)log(probability[i]);
    }
    sampler_probabilities(&sampler, kept, logits);
    for (int i = 0; i < n; i++) {
        out[i] = (double)kept[i];
    }
    sampler_free(&sampler);
}

static bool note_id(void *last, int32_t id, int position, const float *logits)
{
    (void)position;
    (void)logits;
    *(int32_t *)last = id;
    return true;
}

/* Greedy, without end tokens. Returns how many tokens came. */
static int run_generate(int capacity, int max_new, int32_t *last)
{
    const struct generation_config config = {.n_end_ids = 0};
    struct sampler sampler = open_sampler(REPETITION_PENALTY, 1, true);
    struct generate_result result;
    struct kv_cache cache;
    int32_t id[N_PROMPT];
    for (int i = 0; i < N_PROMPT; i++) {
        id[i] = prompt[i];
    }
    if (qwen2_cache_init(&cache, &bundled.model, capacity, NULL) != STATUS_OK ||
        generate(&bundled.model, &bundled.run, &cache, &config, &sampler, id, N_PROMPT, max_new, note_id,
                 last, NULL, &result, NULL) != STATUS_OK) {
        abort();
    }
    kv_cache_free(&cache);
    sampler_free(&sampler);
    return result.n_new;
}

static int project_until_full(int capacity)
{
    int32_t last;
    return run_generate(capacity, 10, &last);
}

static int project_greedy(int n)
{
    int32_t last = -1;
    run_generate(MAX_TEXT, n, &last);
    return last;
}

static void project_predict(double *answer)
{
    answer[0] = (double)qwen2_parameters(&bundled.model);
    answer[1] = 1;
    answer[2] = (double)qwen2_weight_bytes(&bundled.model) / 1e6;
    answer[3] = (double)kv_cache_bytes_per_token(
        bundled.model.config.n_layers, bundled.model.config.n_kv_heads, bundled.model.config.head_dim);
}

static int project_printable(const uint8_t *text, int n)
{
    char out[64];
    struct text_stream stream = {.n_held = 0};
    return (int)text_stream_push(&stream, (const char *)text, (size_t)n, out);
}

const struct functions project_functions = {
    project_widen, bf16_from_f32,      project_place,   project_encode,    project_logits, project_penalize,
    project_top_p, project_until_full, project_predict, project_printable, project_greedy};
