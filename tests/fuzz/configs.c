/* config.json and generation_config.json. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "common/model_config.h"
#include "tests/fuzz/fuzz.h"

static bool is_text(const json_t *value, const char *text)
{
    return json_is_string(value) && json_string_length(value) == strlen(text) &&
           strcmp(json_string_value(value), text) == 0;
}

static bool absent(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return value == NULL || json_is_null(value);
}

static bool plain_rope(const json_t *root, const char *key)
{
    const json_t *rope = json_object_get(root, key);
    return (absent(rope, "type") || is_text(json_object_get(rope, "type"), "default")) &&
           (absent(rope, "rope_type") || is_text(json_object_get(rope, "rope_type"), "default")) &&
           absent(rope, "factor");
}

/* No model that is something else may have been accepted. */
static void check_no_lie(const json_t *root, const struct model_config *config)
{
    EXPECT(is_text(json_object_get(root, "model_type"), "qwen2"));
    EXPECT(absent(root, "hidden_act") || is_text(json_object_get(root, "hidden_act"), "silu"));
    EXPECT(absent(root, "quantization_config") && absent(root, "dual_chunk_attention_config"));
    EXPECT(plain_rope(root, "rope_scaling") && plain_rope(root, "rope_parameters"));
    EXPECT(absent(root, "architectures") ||
           is_text(json_array_get(json_object_get(root, "architectures"), 0), "Qwen2ForCausalLM"));
    for (size_t i = 0; i < json_array_size(json_object_get(root, "layer_types")); i++) {
        EXPECT(is_text(json_array_get(json_object_get(root, "layer_types"), i), "full_attention"));
    }
    if (absent(root, "layer_types") && json_is_true(json_object_get(root, "use_sliding_window"))) {
        const json_t *window = json_object_get(root, "sliding_window");
        const json_t *first = json_object_get(root, "max_window_layers");
        EXPECT(json_is_null(window) ||
               (json_is_integer(first) ? json_integer_value(first) : 28) >= config->n_layers);
    }
}

void fuzz_model_config(const uint8_t *data, size_t size)
{
    struct model_config config;
    struct error error = {STATUS_OK, ""};
    if (model_config_parse(&config, (const char *)data, size, "config.json", &error) != STATUS_OK) {
        fuzz_check_error(&error);
        return;
    }
    EXPECT(config.d_model > 0 && config.d_ff > 0 && config.n_layers > 0 && config.vocab_size > 0);
    EXPECT(config.n_heads > 0 && config.n_kv_heads > 0 && config.n_heads % config.n_kv_heads == 0);
    EXPECT(config.head_dim > 0 && config.head_dim % 2 == 0 && config.max_seq_len > 0);
    EXPECT((int64_t)config.head_dim * config.n_heads <= INT32_MAX);
    EXPECT(config.rope_theta > 0 && isfinite(config.rope_theta));
    EXPECT(config.rms_norm_eps > 0 && isfinite(config.rms_norm_eps));
    json_t *root = fuzz_json(data, size);
    check_no_lie(root, &config);
}

void fuzz_generation_config(const uint8_t *data, size_t size)
{
    struct generation_config config;
    struct error error = {STATUS_OK, ""};
    fuzz_write("config.json", "{\"eos_token_id\": 5}", 19);
    fuzz_write("generation_config.json", data, size);
    if (generation_config_load(&config, fuzz_folder(), &error) != STATUS_OK) {
        fuzz_check_error(&error);
        return;
    }
    EXPECT(config.temperature > 0 && isfinite(config.temperature));
    EXPECT(config.top_k >= 0 && config.top_p >= 0 && config.top_p <= 1);
    EXPECT(config.repetition_penalty > 0 && isfinite(config.repetition_penalty));
    EXPECT(config.n_end_ids >= 0 && config.n_end_ids <= MAX_END_IDS);
    for (int i = 0; i < config.n_end_ids; i++) {
        EXPECT(config.end_ids[i] >= 0 && generation_config_is_end(&config, config.end_ids[i]));
    }
    json_t *root = fuzz_json(data, size);
    EXPECT(!absent(root, "eos_token_id") || (config.n_end_ids == 1 && config.end_ids[0] == 5));
    EXPECT(config.do_sample == json_is_true(json_object_get(root, "do_sample")) || config.temperature == 1);
}
