/* A whole model folder: config.json and the header of model.safetensors change together, as one input
 *
 *     {"config": {...}, "header": {...}, "byte": 60}
 *
 * with as much data as the header asks for, all of one byte. What is loaded must be what the config says, tensor by
 * tensor; then two tokens go through it. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/kv_cache.h"
#include "common/qwen2.h"
#include "tests/fuzz/fuzz.h"

enum { MAX_HEADER = 16384, MAX_DATA = 8192, MAX_VOCABULARY = 4096 };

static int int_of(const json_t *config, const char *key, int absent)
{
    const json_t *value = json_object_get(config, key);
    return json_is_integer(value) ? (int)json_integer_value(value) : absent;
}

/* 1 when the header has this tensor with rows x cols elements (rows 0: a vector), else the program ends. */
static int expect_tensor(const json_t *header, const char *name, int64_t rows, int64_t cols)
{
    const json_t *shape = json_object_get(json_object_get(header, name), "shape");
    const size_t n_dims = json_array_size(shape);
    EXPECT(json_is_array(shape) && n_dims == (rows == 0 ? 1 : 2));
    EXPECT(json_integer_value(json_array_get(shape, n_dims - 1)) == cols);
    EXPECT(rows == 0 || json_integer_value(json_array_get(shape, 0)) == rows);
    return 1;
}

static int expect_layer(const json_t *header, int layer, const json_t *config)
{
    const int d_model = int_of(config, "hidden_size", 0);
    const int d_ff = int_of(config, "intermediate_size", 0);
    const int n_heads = int_of(config, "num_attention_heads", 0);
    const bool all_heads = json_is_null(json_object_get(config, "num_key_value_heads"));
    const int n_kv_heads = int_of(config, "num_key_value_heads", all_heads ? n_heads : 32);
    const int head_dim = int_of(config, "head_dim", n_heads > 0 ? d_model / n_heads : 0);
    const struct {
        const char *name;
        int rows, cols;
    } tensors[] = {{"input_layernorm.weight", 0, d_model},
                   {"post_attention_layernorm.weight", 0, d_model},
                   {"self_attn.q_proj.weight", n_heads * head_dim, d_model},
                   {"self_attn.k_proj.weight", n_kv_heads * head_dim, d_model},
                   {"self_attn.v_proj.weight", n_kv_heads * head_dim, d_model},
                   {"self_attn.q_proj.bias", 0, n_heads * head_dim},
                   {"self_attn.k_proj.bias", 0, n_kv_heads * head_dim},
                   {"self_attn.v_proj.bias", 0, n_kv_heads * head_dim},
                   {"self_attn.o_proj.weight", d_model, n_heads * head_dim},
                   {"mlp.gate_proj.weight", d_ff, d_model},
                   {"mlp.up_proj.weight", d_ff, d_model},
                   {"mlp.down_proj.weight", d_model, d_ff}};
    int n = 0;
    for (size_t i = 0; i < sizeof tensors / sizeof tensors[0]; i++) {
        char name[128];
        snprintf(name, sizeof name, "model.layers.%d.%s", layer, tensors[i].name);
        n += expect_tensor(header, name, tensors[i].rows, tensors[i].cols);
    }
    return n;
}

/* Nothing missing, nothing of another shape, nothing left over. */
static void check_tensors(const json_t *header, const json_t *config, const struct qwen2 *model)
{
    const int d_model = int_of(config, "hidden_size", 0);
    const int vocab_size = int_of(config, "vocab_size", 0);
    const int n_layers = int_of(config, "num_hidden_layers", 0);
    const bool tied = json_is_true(json_object_get(config, "tie_word_embeddings"));
    const bool head = json_object_get(header, "lm_head.weight") != NULL;
    int n = expect_tensor(header, "model.embed_tokens.weight", vocab_size, d_model);
    n += expect_tensor(header, "model.norm.weight", 0, d_model);
    for (int layer = 0; layer < n_layers; layer++) {
        n += expect_layer(header, layer, config);
    }
    if (!tied) {
        n += expect_tensor(header, "lm_head.weight", vocab_size, d_model);
    }
    n += tied && head ? 1 : 0;
    n += json_object_get(header, "__metadata__") != NULL ? 1 : 0;
    EXPECT(json_object_size(header) == (size_t)n);
    EXPECT(model->config.n_layers == n_layers && model->config.tied_head == tied);
}

/* Two tokens: finite logits, or the reason why there are none. */
static void run(const struct qwen2 *model)
{
    static float logits[MAX_VOCABULARY];
    struct qwen2_run pass;
    struct kv_cache cache;
    struct error error = {STATUS_OK, ""};
    const int32_t token[2] = {0, model->config.vocab_size - 1};
    const bool finite = qwen2_verify(model, &error) == STATUS_OK;
    EXPECT(model->config.vocab_size <= MAX_VOCABULARY);
    EXPECT(qwen2_run_init(&pass, model, 2, &error) == STATUS_OK);
    EXPECT(qwen2_cache_init(&cache, model, 2, &error) == STATUS_OK);
    if (qwen2_prefill(model, &pass, &cache, token, 2, logits, NULL, &error) == STATUS_OK) {
        EXPECT(cache.length == 2);
        for (int i = 0; i < model->config.vocab_size; i++) {
            EXPECT(isfinite(logits[i]));
        }
    } else {
        EXPECT(error.status == STATUS_FORMAT);
        fuzz_check_error(&error);
    }
    EXPECT(finite || error.status == STATUS_FORMAT);
    kv_cache_free(&cache);
    qwen2_run_free(&pass);
}

/* The largest end of a span. */
static size_t wanted_data(const json_t *header)
{
    const char *name = NULL;
    json_t *tensor = NULL;
    json_int_t largest = 0;
    json_object_foreach((json_t *)header, name, tensor)
    {
        json_int_t end = json_integer_value(json_array_get(json_object_get(tensor, "data_offsets"), 1));
        largest = end > largest ? end : largest;
    }
    return largest < MAX_DATA ? (size_t)largest : MAX_DATA;
}

static bool write_folder(const json_t *input, const json_t *config, const json_t *header)
{
    static uint8_t file[8 + MAX_HEADER + MAX_DATA];
    static char text[MAX_HEADER];
    const size_t data_size = wanted_data(header);
    const uint64_t length = json_dumpb(header, (char *)file + 8, MAX_HEADER, JSON_COMPACT);
    const size_t config_size = json_dumpb(config, text, sizeof text, JSON_COMPACT);
    if (length == 0 || length > MAX_HEADER || config_size == 0 || config_size > sizeof text) {
        return false;
    }
    memcpy(file, &length, 8);
    memset(file + 8 + length, int_of(input, "byte", 60), data_size);
    fuzz_write("config.json", text, config_size);
    fuzz_write("model.safetensors", file, 8 + length + data_size);
    return true;
}

void fuzz_model(const uint8_t *data, size_t size)
{
    struct qwen2 model;
    struct error error = {STATUS_OK, ""};
    const json_t *input = fuzz_json(data, size);
    const json_t *config = json_object_get(input, "config");
    const json_t *header = json_object_get(input, "header");
    if (!json_is_object(config) || !json_is_object(header) || !write_folder(input, config, header)) {
        return;
    }
    if (qwen2_load(&model, fuzz_folder(), &error) != STATUS_OK) {
        EXPECT(model.layers == NULL && model.files.n_files == 0);
        fuzz_check_error(&error);
        return;
    }
    check_tensors(header, config, &model);
    run(&model);
    qwen2_free(&model);
}
