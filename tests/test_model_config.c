/* config.json: the spellings that must give the same model, and the models that must be refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/model_config.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

/* A config with everything that is required, and more behind it. */
#define WITHOUT_ROPE                                                                                         \
    "{\"architectures\":[\"Qwen2ForCausalLM\"],\"model_type\":\"qwen2\",\"hidden_size\":8,\"intermediate_"   \
    "size\":6,"                                                                                              \
    "\"num_hidden_layers\":2,\"num_attention_heads\":4,\"num_key_value_heads\":2,\"vocab_size\":11,"         \
    "\"max_position_embeddings\":64"
#define WITH(more) WITHOUT_ROPE "," more "}"

static enum status parse(struct model_config *config, const char *text, struct error *error)
{
    return model_config_parse(config, text, strlen(text), "config.json", error);
}

static struct model_config good(const char *text)
{
    struct model_config config;
    struct error error;
    assert_ok(parse(&config, text, &error), &error);
    return config;
}

START_TEST(the_keys_are_read)
{
    struct model_config c =
        good(WITH("\"rope_theta\":1e6,\"rms_norm_eps\":1e-5,\"tie_word_embeddings\":true"));
    ck_assert_int_eq(c.d_model, 8);
    ck_assert_int_eq(c.d_ff, 6);
    ck_assert_int_eq(c.n_layers, 2);
    ck_assert_int_eq(c.n_heads, 4);
    ck_assert_int_eq(c.n_kv_heads, 2);
    ck_assert_int_eq(c.head_dim, 2);
    ck_assert_int_eq(c.vocab_size, 11);
    ck_assert_int_eq(c.max_seq_len, 64);
    ck_assert_double_eq(c.rope_theta, 1e6);
    ck_assert_double_eq(c.rms_norm_eps, 1e-5);
    ck_assert(c.tied_head);
}
END_TEST

START_TEST(defaults_are_those_of_qwen2config)
{
    struct model_config c = good(WITHOUT_ROPE "}");
    ck_assert_double_eq(c.rope_theta, 10000);
    ck_assert_double_eq(c.rms_norm_eps, 1e-6);
    ck_assert(!c.tied_head);
}
END_TEST

START_TEST(theta_is_found_in_every_place)
{
    static const char *const spellings[] = {
        WITH("\"rope_theta\":1000000.0"),
        WITH("\"rope_theta\":1000000"),
        WITH("\"rope_theta\":1000000.0,\"rope_scaling\":null"),
        WITH("\"rope_parameters\":{\"rope_type\":\"default\",\"rope_theta\":1000000}"),
        WITH("\"rope_parameters\":{\"rope_theta\":1000000}"),
        WITH("\"rope_scaling\":{\"type\":\"default\"},\"rope_theta\":1000000"),
        WITH("\"rope_scaling\":{\"rope_type\":\"default\",\"rope_theta\":1000000,\"factor\":null}"),
        WITH("\"rope_theta\":1000000,\"rope_parameters\":{\"rope_type\":\"default\",\"rope_theta\":1000000.0,"
             "\"partial_rotary_factor\":1.0},\"partial_rotary_factor\":1"),
    };
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        ck_assert_double_eq(good(spellings[i]).rope_theta, 1e6);
    }
}
END_TEST

/* hidden 2560, 32 heads of 128: wider than hidden / heads. */
START_TEST(head_dim_and_kv_heads_may_be_null_or_absent)
{
    static const char rest[] = "\"model_type\":\"qwen2\",\"hidden_size\":2560,\"intermediate_size\":6,"
                               "\"num_hidden_layers\":2,\"num_attention_heads\":32,\"vocab_size\":11,"
                               "\"max_position_embeddings\":64";
    static const struct {
        const char *more;
        int head_dim, n_kv_heads;
    } cases[] = {
        {"\"head_dim\":128,\"num_key_value_heads\":8", 128, 8},
        {"\"head_dim\":null,\"num_key_value_heads\":8", 80, 8},
        {"\"num_key_value_heads\":null", 80, 32}, /* null: as many as heads */
        {"\"head_dim\":128", 128, 32},            /* absent: 32, the default */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, "{%s,%s}", rest, cases[i].more);
        struct model_config c = good(text);
        ck_assert_int_eq(c.head_dim, cases[i].head_dim);
        ck_assert_int_eq(c.n_kv_heads, cases[i].n_kv_heads);
    }
}
END_TEST

START_TEST(a_window_that_is_switched_off_changes_nothing)
{
    good(WITH("\"use_sliding_window\":false,\"sliding_window\":32768,\"max_window_layers\":0"));
    good(WITH("\"sliding_window\":32768,\"max_window_layers\":0"));
    good(WITH("\"use_sliding_window\":true,\"sliding_window\":null,\"max_window_layers\":0"));
    good(WITH("\"use_sliding_window\":true,\"sliding_window\":16,\"max_window_layers\":2"));
    good(WITH("\"use_sliding_window\":true,\"sliding_window\":16"));
    good(WITH("\"use_sliding_window\":true,\"sliding_window\":16,\"max_window_layers\":0,"
              "\"layer_types\":[\"full_attention\",\"full_attention\"]"));
}
END_TEST

START_TEST(keys_that_change_nothing_are_ignored)
{
    good(WITH(
        "\"torch_dtype\":\"bfloat16\",\"dtype\":\"float16\",\"attention_bias\":false,\"use_cache\":false,"
        "\"use_mrope\":false,\"is_causal\":true,\"quantization_config\":null,\"unheard_of\":{\"a\":[1]},"
        "\"auto_map\":{\"AutoConfig\":\"x.Y\"}"));
}
END_TEST

/* ---- refusals -------------------------------------------------------------------------------------------------------- */

#define SCALING   "default: rope scaling is not implemented"
#define QUANTISED "none: quantised weights are not implemented"

START_TEST(another_function_is_refused_with_the_reason)
{
    static const struct {
        const char *more, *message;
    } cases[] = {
        {"\"rope_scaling\":{\"type\":\"yarn\",\"factor\":4.0}",
         "rope_scaling.type: found yarn, expected " SCALING},
        {"\"rope_scaling\":{\"rope_type\":\"yarn\",\"factor\":4.0}",
         "rope_scaling.rope_type: found yarn, expected " SCALING},
        {"\"rope_scaling\":{\"type\":\"linear\"}", "rope_scaling.type: found linear, expected " SCALING},
        {"\"rope_scaling\":{\"type\":\"dynamic\"}", "rope_scaling.type: found dynamic, expected " SCALING},
        {"\"rope_scaling\":{\"rope_type\":\"default\",\"type\":\"longrope\"}",
         "rope_scaling.type: found longrope, expected " SCALING},
        {"\"rope_parameters\":{\"rope_type\":\"llama3\"}",
         "rope_parameters.rope_type: found llama3, expected " SCALING},
        {"\"rope_parameters\":{\"type\":\"mrope\"}", "rope_parameters.type: found mrope, expected " SCALING},
        {"\"rope_scaling\":{\"type\":2}", "rope_scaling.type: found 2, expected " SCALING},
        {"\"rope_scaling\":{\"type\":\"default\",\"mrope_section\":[1,1]}",
         "rope_scaling.mrope_section: found [1,1], expected nothing: rope scaling is not implemented"},
        {"\"rope_parameters\":{\"full_attention\":{\"rope_theta\":5}}",
         "rope_parameters.full_attention: found {\"rope_theta\":5}, expected nothing: rope scaling is not "
         "implemented"},
        {"\"rope_parameters\":{\"partial_rotary_factor\":0.5}",
         "rope_parameters.partial_rotary_factor: found 0.5, expected nothing: rope "
         "scaling is "
         "not implemented"},
        {"\"partial_rotary_factor\":0.5", "partial_rotary_factor: found 0.5, expected 1: every pair is "
                                          "rotated"},
        {"\"use_sliding_window\":true,\"sliding_window\":16,\"max_window_layers\":1",
         "use_sliding_window: found true with a window of 16 in layers 1 to 1, expected false: sliding "
         "windows are not "
         "implemented"},
        {"\"use_sliding_window\":true,\"max_window_layers\":0",
         "use_sliding_window: found true with a window of 4096 in layers 0 to 1, expected false: sliding "
         "windows are "
         "not implemented"},
        {"\"layer_types\":[\"full_attention\",\"sliding_attention\"]",
         "layer_types: found sliding_attention, expected full_attention in every layer"},
        {"\"dual_chunk_attention_config\":{\"chunk_size\":262144}",
         "dual_chunk_attention_config: found {\"chunk_size\":262144}, expected none: dual chunk attention is "
         "not "
         "implemented"},
        {"\"quantization_config\":{\"quant_method\":\"gptq\",\"bits\":4}",
         "quantization_config: found gptq, expected " QUANTISED},
        {"\"quantization_config\":{\"quant_method\":\"awq\"}",
         "quantization_config: found awq, expected " QUANTISED},
        {"\"quantization_config\":{\"quant_method\":\"fp8\"}",
         "quantization_config: found fp8, expected " QUANTISED},
        {"\"quantization_config\":{\"load_in_4bit\":true}",
         "quantization_config: found {\"load_in_4bit\":true}, expected " QUANTISED},
        {"\"quantization\":{\"bits\":4}", "quantization: found {\"bits\":4}, expected " QUANTISED},
        {"\"compression_config\":{}", "compression_config: found {}, expected " QUANTISED},
        {"\"hidden_act\":\"gelu\"", "hidden_act: found gelu, expected silu"},
        {"\"hidden_act\":3", "hidden_act: found 3, expected silu"},
        {"\"is_causal\":false",
         "is_causal: found false, expected true: attention in both directions is not implemented"},
        {"\"use_mrope\":true",
         "use_mrope: found true, expected false: multimodal positions are not implemented"},
        {"\"auto_map\":{\"AutoModelForCausalLM\":\"modeling_x.X\"}",
         "auto_map: found a program of the model's own, expected none: only Qwen2ForCausalLM is implemented"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct model_config config;
        struct error error;
        char text[1024];
        char message[512];
        snprintf(text, sizeof text, "%s,%s}", WITHOUT_ROPE, cases[i].more);
        snprintf(message, sizeof message, "config.json: %s", cases[i].message);
        assert_error(parse(&config, text, &error), &error, STATUS_UNSUPPORTED, "", message);
    }
}
END_TEST

START_TEST(other_architectures_are_refused)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{}", "config.json: model_type: found nothing, expected qwen2"},
        {"{\"model_type\":\"llama\"}", "config.json: model_type: found llama, expected qwen2"},
        {"{\"model_type\":\"qwen3\",\"architectures\":[\"Qwen3ForCausalLM\"]}",
         "config.json: model_type: found qwen3, expected qwen2"},
        {"{\"model_type\":\"qwen2\\u0000\"}",
         "config.json: model_type: found \"qwen2\\u0000\", expected qwen2"},
        {"{\"model_type\":\"qwen2_moe\"}", "config.json: model_type: found qwen2_moe, expected qwen2"},
        {"{\"model_type\":\"qwen2_vl\"}", "config.json: model_type: found qwen2_vl, expected qwen2"},
        {"{\"model_type\":\"qwen2\",\"architectures\":[\"Qwen2ForSequenceClassification\"]}",
         "config.json: architectures: found Qwen2ForSequenceClassification, expected Qwen2ForCausalLM"},
        {"{\"model_type\":\"qwen2\",\"architectures\":[]}",
         "config.json: architectures: found [], expected a list of one: "
         "Qwen2ForCausalLM"},
        {"{\"model_type\":\"qwen2\",\"architectures\":\"Qwen2ForCausalLM\"}",
         "config.json: architectures: found \"Qwen2ForCausalLM\", expected a list of one: Qwen2ForCausalLM"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct model_config config;
        struct error error;
        assert_error(parse(&config, cases[i].text, &error), &error, STATUS_UNSUPPORTED, "", cases[i].message);
    }
}
END_TEST

/* One number of the good config is replaced. */
START_TEST(numbers_that_make_no_sense_are_refused)
{
    static const struct {
        const char *heads, *more, *message;
    } cases[] = {
        {"\"hidden_size\":0,\"num_attention_heads\":4,\"num_key_value_heads\":2", "",
         "hidden_size: expected a whole number from 1 to 16777216, found 0"},
        {"\"hidden_size\":\"8\",\"num_attention_heads\":4,\"num_key_value_heads\":2", "",
         "hidden_size: expected a whole number from 1 to 16777216, found \"8\""},
        {"\"hidden_size\":8.0,\"num_attention_heads\":4,\"num_key_value_heads\":2", "",
         "hidden_size: expected a whole number from 1 to 16777216, found 8.0"},
        {"\"num_attention_heads\":4,\"num_key_value_heads\":2", "",
         "hidden_size: missing: expected a whole number from 1 to 16777216"},
        {"\"hidden_size\":8,\"num_attention_heads\":4,\"num_key_value_heads\":3", "",
         "num_key_value_heads: found 3, expected a divisor of num_attention_heads = 4"},
        {"\"hidden_size\":8,\"num_attention_heads\":4", "",
         "num_key_value_heads: absent, so 32, expected a divisor of num_attention_heads = 4"},
        {"\"hidden_size\":9,\"num_attention_heads\":4,\"num_key_value_heads\":2", "",
         "hidden_size: found 9, expected a multiple of num_attention_heads = 4 (there is no head_dim)"},
        {"\"hidden_size\":12,\"num_attention_heads\":4,\"num_key_value_heads\":2", "",
         "head_dim: found 3, expected an even number"},
        {"\"hidden_size\":8,\"num_attention_heads\":4,\"num_key_value_heads\":2", ",\"head_dim\":5",
         "head_dim: found 5, expected an even number"},
        {"\"hidden_size\":8,\"num_attention_heads\":16777216,\"num_key_value_heads\":2",
         ",\"head_dim\":16777216",
         "head_dim: found 16777216 in each of 16777216 heads, expected at most 16777216 in all"},
        {"\"hidden_size\":8,\"num_attention_heads\":4,\"num_key_value_heads\":2", ",\"rms_norm_eps\":0",
         "rms_norm_eps: found 0, expected a number above 0"},
        {"\"hidden_size\":8,\"num_attention_heads\":4,\"num_key_value_heads\":2", ",\"rope_theta\":0",
         "rope_theta: expected a number above 0, found 0"},
        {"\"hidden_size\":8,\"num_attention_heads\":4,\"num_key_value_heads\":2", ",\"rope_theta\":\"1e6\"",
         "rope_theta: expected a number, found \"1e6\""},
        {"\"hidden_size\":8,\"num_attention_heads\":4,\"num_key_value_heads\":2",
         ",\"rope_theta\":10000,\"rope_parameters\":{\"rope_theta\":1e6}",
         "rope_theta: found 1000000, expected 10000 as elsewhere in the file"},
        {"\"hidden_size\":8,\"num_attention_heads\":4,\"num_key_value_heads\":2", ",\"rope_scaling\":4",
         "rope_scaling: expected an object, found 4"},
        {"\"hidden_size\":8,\"num_attention_heads\":4,\"num_key_value_heads\":2",
         ",\"layer_types\":[\"full_attention\"]",
         "layer_types: expected a list of 2, found [\"full_attention\"]"},
        {"\"hidden_size\":8,\"num_attention_heads\":4,\"num_key_value_heads\":2",
         ",\"tie_word_embeddings\":1", "tie_word_embeddings: expected true or false, found 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct model_config config;
        struct error error;
        char text[1024];
        char message[512];
        snprintf(
            text, sizeof text,
            "{\"model_type\":\"qwen2\",\"intermediate_size\":6,\"num_hidden_layers\":2,\"vocab_size\":11,"
            "\"max_position_embeddings\":64,%s%s}",
            cases[i].heads, cases[i].more);
        snprintf(message, sizeof message, "config.json: %s", cases[i].message);
        assert_error(parse(&config, text, &error), &error, STATUS_FORMAT, "", message);
    }
}
END_TEST

START_TEST(a_folder_is_read_and_a_missing_file_named)
{
    struct model_config config;
    struct error error;
    char *folder = fresh_folder("config");
    assert_error(model_config_load(&config, folder, &error), &error, STATUS_IO, folder,
                 "config.json: No such file or directory");
    assert_ok(model_config_load(&config, golden_path("ch6_qwen2_odd"), &error), &error);
    ck_assert_int_eq(config.head_dim, 6);
    ck_assert_double_eq(config.rope_theta, 10000);
    free(folder);
}
END_TEST

/* ---- generation_config.json -------------------------------------------------------------------------------------------- */

static struct generation_config load_generation(const char *generation, const char *model)
{
    struct generation_config config;
    struct error error;
    char *folder = fresh_folder("generation");
    if (generation != NULL) {
        write_text(folder, "generation_config.json", generation);
    }
    write_text(folder, "config.json", model);
    assert_ok(generation_config_load(&config, folder, &error), &error);
    free(folder);
    return config;
}

START_TEST(every_spelling_of_the_end_ids_is_read)
{
    static const char model[] = "{\"eos_token_id\":7}";
    struct generation_config c = load_generation("{\"eos_token_id\":[151645,151643]}", model);
    ck_assert_int_eq(c.n_end_ids, 2);
    ck_assert(generation_config_is_end(&c, 151645));
    ck_assert(generation_config_is_end(&c, 151643));
    ck_assert(!generation_config_is_end(&c, 7));
    c = load_generation("{\"eos_token_id\":151645}", model);
    ck_assert_int_eq(c.n_end_ids, 1);
    ck_assert(generation_config_is_end(&c, 151645));
    static const char *const silent[] = {"{\"eos_token_id\":null}", "{}", NULL};
    for (int i = 0; i < 3; i++) {
        c = load_generation(silent[i], model);
        ck_assert_int_eq(c.n_end_ids, 1);
        ck_assert(generation_config_is_end(&c, 7));
    }
    c = load_generation(NULL, "{}");
    ck_assert_int_eq(c.n_end_ids, 0);
    ck_assert(!generation_config_is_end(&c, 0));
}
END_TEST

START_TEST(sampling_has_the_defaults_of_transformers)
{
    struct generation_config c = load_generation("{}", "{}");
    ck_assert(!c.do_sample);
    ck_assert_double_eq(c.temperature, 1);
    ck_assert_int_eq(c.top_k, 50);
    ck_assert_double_eq(c.top_p, 1);
    ck_assert_double_eq(c.repetition_penalty, 1);
    c = load_generation("{\"do_sample\":true,\"temperature\":0.7,\"top_k\":20,\"top_p\":0.8,"
                        "\"repetition_penalty\":1.05}",
                        "{}");
    ck_assert(c.do_sample);
    ck_assert_double_eq(c.temperature, 0.7);
    ck_assert_int_eq(c.top_k, 20);
    ck_assert_double_eq(c.top_p, 0.8);
    ck_assert_double_eq(c.repetition_penalty, 1.05);
    c = load_generation("{\"do_sample\":true,\"temperature\":0}", "{}");
    ck_assert(!c.do_sample);
    ck_assert_double_eq(c.temperature, 1);
}
END_TEST

START_TEST(a_generation_config_that_makes_no_sense_is_refused)
{
    static const struct {
        const char *text;
        enum status status;
        const char *message;
    } cases[] = {
        {"[]", STATUS_FORMAT, "expected an object, found a list"},
        {"{\"temperature\":-1}", STATUS_FORMAT, "temperature: expected a number from 0 on, found -1"},
        {"{\"top_p\":1.5}", STATUS_FORMAT, "top_p: expected a number from 0 to 1, found 1.5"},
        {"{\"top_k\":-1}", STATUS_FORMAT, "top_k: expected a whole number from 0 to 2147483647, found -1"},
        {"{\"repetition_penalty\":0}", STATUS_FORMAT,
         "repetition_penalty: expected a number above 0, found 0"},
        {"{\"do_sample\":\"yes\"}", STATUS_FORMAT, "do_sample: expected true or false, found \"yes\""},
        {"{\"eos_token_id\":-1}", STATUS_FORMAT, "eos_token_id: expected token ids from 0 on, found -1"},
        {"{\"eos_token_id\":[1,4294967297]}", STATUS_FORMAT,
         "eos_token_id: expected token ids from 0 on, found 4294967297"},
        {"{\"eos_token_id\":[1,\"2\"]}", STATUS_FORMAT,
         "eos_token_id: expected token ids from 0 on, found \"2\""},
        {"{\"eos_token_id\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]}", STATUS_UNSUPPORTED,
         "eos_token_id: expected at most 16 ids, found more"},
    };
    char *folder = fresh_folder("generation");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct generation_config config;
        struct error error;
        char message[256];
        snprintf(message, sizeof message, "generation_config.json: %s", cases[i].message);
        write_text(folder, "generation_config.json", cases[i].text);
        write_text(folder, "config.json", "{}");
        assert_error(generation_config_load(&config, folder, &error), &error, cases[i].status, folder,
                     message);
    }
    free(folder);
}
END_TEST

/* The defaults of transformers' GenerationConfig switch these off; anything else would change what is generated. */
START_TEST(other_ways_of_choosing_are_refused_unless_off)
{
    static const struct {
        const char *key;
        int off;
    } others[] = {{"num_beams", 1},
                  {"num_beam_groups", 1},
                  {"no_repeat_ngram_size", 0},
                  {"typical_p", 1},
                  {"min_p", 0},
                  {"epsilon_cutoff", 0},
                  {"eta_cutoff", 0},
                  {"diversity_penalty", 0},
                  {"encoder_repetition_penalty", 1},
                  {"min_new_tokens", 0},
                  {"min_length", 0}};
    char *folder = fresh_folder("generation");
    write_text(folder, "config.json", "{}");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        for (int by = 0; by < 2; by++) {
            struct generation_config config;
            struct error error;
            char text[64], message[160];
            snprintf(text, sizeof text, "{\"%s\":%d}", others[i].key, others[i].off + by);
            snprintf(message, sizeof message,
                     "generation_config.json: %s: found %d, expected %d: it is not implemented",
                     others[i].key, others[i].off + by, others[i].off);
            write_text(folder, "generation_config.json", text);
            enum status status = generation_config_load(&config, folder, &error);
            if (by == 0) {
                assert_ok(status, &error);
            } else {
                assert_error(status, &error, STATUS_UNSUPPORTED, folder, message);
            }
        }
    }
    free(folder);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("model_config");
    add_test(suite, "keys", the_keys_are_read);
    add_test(suite, "defaults", defaults_are_those_of_qwen2config);
    add_test(suite, "theta", theta_is_found_in_every_place);
    add_test(suite, "head_dim and kv heads", head_dim_and_kv_heads_may_be_null_or_absent);
    add_test(suite, "window off", a_window_that_is_switched_off_changes_nothing);
    add_test(suite, "ignored keys", keys_that_change_nothing_are_ignored);
    add_test(suite, "another function", another_function_is_refused_with_the_reason);
    add_test(suite, "other architectures", other_architectures_are_refused);
    add_test(suite, "no sense", numbers_that_make_no_sense_are_refused);
    add_test(suite, "folder", a_folder_is_read_and_a_missing_file_named);
    add_test(suite, "end ids", every_spelling_of_the_end_ids_is_read);
    add_test(suite, "sampling", sampling_has_the_defaults_of_transformers);
    add_test(suite, "other ways of choosing", other_ways_of_choosing_are_refused_unless_off);
    add_test(suite, "bad generation config", a_generation_config_that_makes_no_sense_is_refused);
    return suite;
}
