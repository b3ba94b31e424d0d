/* Loading: a small model is written, whole or with one thing wrong, and read. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/qwen2.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

enum { D_MODEL = 4, D_FF = 3, N_LAYERS = 2, N_HEADS = 2, N_KV_HEADS = 1, HEAD_DIM = 2, VOCAB_SIZE = 5 };

static const char config_start[] =
    "{\"model_type\":\"qwen2\",\"hidden_size\":4,\"intermediate_size\":3,\"num_hidden_layers\":2,"
    "\"num_attention_heads\":2,\"num_key_value_heads\":1,\"vocab_size\":5,\"max_position_embeddings\":64,"
    "\"tie_word_embeddings\":";

/* What is wrong with the model that is written; a zeroed struct: nothing. */
struct edit {
    const char *omit;    /* this tensor is left out */
    const char *reshape; /* this one gets one column more */
    const char *retype;  /* this one becomes F64 */
    const char *poison;  /* the last element of this one is NaN */
    const char *extra;   /* one more tensor of this name, [1] */
    bool untied, head;   /* config says so; the file has an lm_head.weight, twice the embedding */
};

/* A safetensors file as it grows. */
struct builder {
    char header[8192];
    float data[1024];
    size_t header_length, n;
    const struct edit *edit;
};

static bool is(const char *wanted, const char *name)
{
    return wanted != NULL && strcmp(wanted, name) == 0;
}

/* rows 0: a vector. Element i of the file is scale * (i mod 7 - 3) / 8. */
static void add(struct builder *b, const char *name, int rows, int cols, float scale)
{
    char shape[32];
    if (is(b->edit->omit, name)) {
        return;
    }
    cols += is(b->edit->reshape, name) ? 1 : 0;
    size_t n = (size_t)(rows > 0 ? rows : 1) * (size_t)cols * (is(b->edit->retype, name) ? 2 : 1);
    snprintf(shape, sizeof shape, rows > 0 ? "[%d,%d]" : "[%d]", rows > 0 ? rows : cols, cols);
    for (size_t i = b->n; i < b->n + n; i++) {
        b->data[i] = scale * (float)((int)(i % 7) - 3) / 8;
    }
    if (is(b->edit->poison, name)) {
        b->data[b->n + n - 1] = NAN;
    }
    b->header_length +=
        (size_t)snprintf(b->header + b->header_length, sizeof b->header - b->header_length,
                         "%c\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%zu,%zu]}",
                         b->header_length > 0 ? ',' : '{', name, is(b->edit->retype, name) ? "F64" : "F32",
                         shape, 4 * b->n, 4 * (b->n + n));
    b->n += n;
}

static void add_layer(struct builder *b, int layer)
{
    static const struct {
        const char *name;
        int rows, cols;
    } tensors[] = {{"input_layernorm.weight", 0, D_MODEL},
                   {"mlp.down_proj.weight", D_MODEL, D_FF},
                   {"mlp.gate_proj.weight", D_FF, D_MODEL},
                   {"mlp.up_proj.weight", D_FF, D_MODEL},
                   {"post_attention_layernorm.weight", 0, D_MODEL},
                   {"self_attn.k_proj.bias", 0, N_KV_HEADS * HEAD_DIM},
                   {"self_attn.k_proj.weight", N_KV_HEADS * HEAD_DIM, D_MODEL},
                   {"self_attn.o_proj.weight", D_MODEL, N_HEADS * HEAD_DIM},
                   {"self_attn.q_proj.bias", 0, N_HEADS * HEAD_DIM},
                   {"self_attn.q_proj.weight", N_HEADS * HEAD_DIM, D_MODEL},
                   {"self_attn.v_proj.bias", 0, N_KV_HEADS * HEAD_DIM},
                   {"self_attn.v_proj.weight", N_KV_HEADS * HEAD_DIM, D_MODEL}};
    for (size_t i = 0; i < sizeof tensors / sizeof tensors[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "model.layers.%d.%s", layer, tensors[i].name);
        add(b, name, tensors[i].rows, tensors[i].cols, 1);
    }
}

/* The folder of the model; the caller frees. */
static char *write_model(const struct edit *edit)
{
    static struct builder b;
    char config[1024];
    char *folder = fresh_folder("model");
    memset(&b, 0, sizeof b);
    b.edit = edit;
    add(&b, "model.embed_tokens.weight", VOCAB_SIZE, D_MODEL, 1);
    for (int layer = 0; layer < N_LAYERS; layer++) {
        add_layer(&b, layer);
    }
    add(&b, "model.norm.weight", 0, D_MODEL, 1);
    if (edit->head) {
        add(&b, "lm_head.weight", VOCAB_SIZE, D_MODEL, 2);
    }
    if (edit->extra != NULL) {
        add(&b, edit->extra, 0, 1, 1);
    }
    snprintf(b.header + b.header_length, sizeof b.header - b.header_length, "}");
    snprintf(config, sizeof config, "%s%s}", config_start, edit->untied ? "false" : "true");
    write_text(folder, "config.json", config);
    write_safetensors(folder, "model.safetensors", b.header, b.data, 4 * b.n);
    return folder;
}

static void check_refused(const struct edit *edit, enum status expected, const char *message)
{
    struct qwen2 model;
    struct error error;
    char *folder = write_model(edit);
    assert_error(qwen2_load(&model, folder, &error), &error, expected, folder, message);
    ck_assert_ptr_null(model.layers);
    qwen2_free(&model);
    free(folder);
}

START_TEST(a_whole_model_is_read)
{
    struct qwen2 model;
    struct error error;
    const struct edit nothing = {.untied = false};
    char *folder = write_model(&nothing);
    assert_ok(qwen2_load(&model, folder, &error), &error);
    ck_assert_int_eq(model.files.n_entries, 12 * N_LAYERS + 2);
    ck_assert_ptr_eq(model.head.data, model.embedding.data);
    ck_assert_int_eq(model.block.d_ff, D_FF);
    ck_assert_double_eq(model.block.rms_norm_eps, 1e-6);
    ck_assert(!tensor_present(&model.layers[1].b_o)); /* there is none in Qwen2 */
    /* per layer: 2 norms, Q and its bias, K and V with theirs, O, three of the FFN */
    const size_t layer = 2 * 4 + (4 * 4 + 4) + 2 * (2 * 4 + 2) + 4 * 4 + 3 * 12;
    ck_assert_uint_eq(qwen2_parameters(&model), 5 * 4 + 2 * layer + 4);
    ck_assert_uint_eq(qwen2_weight_bytes(&model), 4 * (5 * 4 + 2 * layer + 4));
    assert_ok(qwen2_verify(&model, &error), &error);
    qwen2_free(&model);
    qwen2_free(&model);
    free(folder);
}
END_TEST

/* All four combinations of tie_word_embeddings and an lm_head.weight in the file. */
START_TEST(a_tied_head_is_the_embedding_and_an_untied_one_is_not)
{
    struct qwen2 model;
    struct error error;
    for (int untied = 0; untied < 2; untied++) {
        const struct edit edit = {.untied = untied == 1, .head = true};
        char *folder = write_model(&edit);
        assert_ok(qwen2_load(&model, folder, &error), &error);
        float head = tensor_at(&model.head, 4, 3);
        float tied = tensor_at(&model.embedding, 4, 3);
        ck_assert_float_eq(tied, 0.25F); /* element 19: 19 mod 7 - 3 = 2 eighths */
        ck_assert_int_eq(head == tied, untied == 0);
        ck_assert_int_eq(model.head.data == model.embedding.data, untied == 0);
        size_t body = qwen2_parameters(&model) - 20;
        ck_assert_uint_eq(body, untied == 0 ? 2 * 100 + 4 : 2 * 100 + 4 + 20);
        qwen2_free(&model);
        free(folder);
    }
    const struct edit odd_copy = {.head = true, .retype = "lm_head.weight"};
    char *odd_folder = write_model(&odd_copy);
    assert_ok(qwen2_load(&model, odd_folder, &error), &error);
    assert_ok(qwen2_verify(&model, &error), &error);
    qwen2_free(&model);
    free(odd_folder);
    check_refused(&(struct edit){.untied = true}, STATUS_FORMAT,
                  "model.safetensors: tensor lm_head.weight: missing: expected one of shape [5, 4]");
}
END_TEST

START_TEST(every_tensor_must_be_there)
{
    static const struct {
        const char *name, *shape;
    } tensors[] = {{"model.embed_tokens.weight", "[5, 4]"},
                   {"model.norm.weight", "[4]"},
                   {"model.layers.0.input_layernorm.weight", "[4]"},
                   {"model.layers.1.self_attn.q_proj.weight", "[4, 4]"},
                   {"model.layers.1.self_attn.q_proj.bias", "[4]"},
                   {"model.layers.0.self_attn.k_proj.weight", "[2, 4]"},
                   {"model.layers.0.self_attn.k_proj.bias", "[2]"},
                   {"model.layers.1.self_attn.v_proj.weight", "[2, 4]"},
                   {"model.layers.1.self_attn.v_proj.bias", "[2]"},
                   {"model.layers.0.self_attn.o_proj.weight", "[4, 4]"},
                   {"model.layers.0.post_attention_layernorm.weight", "[4]"},
                   {"model.layers.0.mlp.gate_proj.weight", "[3, 4]"},
                   {"model.layers.1.mlp.up_proj.weight", "[3, 4]"},
                   {"model.layers.1.mlp.down_proj.weight", "[4, 3]"}};
    for (size_t i = 0; i < sizeof tensors / sizeof tensors[0]; i++) {
        char message[256];
        snprintf(message, sizeof message, "model.safetensors: tensor %s: missing: expected one of shape %s",
                 tensors[i].name, tensors[i].shape);
        check_refused(&(struct edit){.omit = tensors[i].name}, STATUS_FORMAT, message);
    }
}
END_TEST

START_TEST(shapes_and_types_must_fit_the_config)
{
    check_refused(&(struct edit){.reshape = "model.embed_tokens.weight"}, STATUS_FORMAT,
                  "model.safetensors: tensor model.embed_tokens.weight: expected shape [5, 4], found [5, 5]");
    check_refused(
        &(struct edit){.reshape = "model.layers.1.self_attn.k_proj.bias"}, STATUS_FORMAT,
        "model.safetensors: tensor model.layers.1.self_attn.k_proj.bias: expected shape [2], found [3]");
    check_refused(&(struct edit){.retype = "model.norm.weight"}, STATUS_UNSUPPORTED,
                  "model.safetensors: tensor model.norm.weight: expected type F32, BF16 or F16, found F64");
}
END_TEST

START_TEST(a_tensor_too_many_is_refused)
{
    static const char *const names[] = {"model.layers.2.input_layernorm.weight",
                                        "model.layers.0.self_attn.o_proj.bias",
                                        "model.layers.00.input_layernorm.weight", "visual.patch_embed.weight",
                                        "model.layers.0.self_attn.q_norm.weight"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char message[256];
        snprintf(message, sizeof message,
                 "model.safetensors: tensor %s: found, expected no such tensor in a Qwen2 model of 2 layers",
                 names[i]);
        check_refused(&(struct edit){.extra = names[i]}, STATUS_UNSUPPORTED, message);
    }
}
END_TEST

START_TEST(values_that_are_not_finite_are_found)
{
    struct qwen2 model;
    struct qwen2_run run;
    struct kv_cache cache;
    struct error error;
    float logits[VOCAB_SIZE];
    const int32_t token = 4;
    const struct edit edit = {.poison = "model.layers.1.mlp.down_proj.weight"};
    char *folder = write_model(&edit);
    assert_ok(qwen2_load(&model, folder, &error), &error);
    assert_error(qwen2_verify(&model, &error), &error, STATUS_FORMAT, folder,
                 "model.safetensors: tensor model.layers.1.mlp.down_proj.weight: found nan in row 3, column "
                 "2, expected "
                 "finite numbers");
    assert_ok(qwen2_run_init(&run, &model, 1, &error), &error);
    assert_ok(qwen2_cache_init(&cache, &model, 4, &error), &error);
    enum status status = qwen2_prefill(&model, &run, &cache, &token, 1, logits, NULL, &error);
    ck_assert_int_eq(status, STATUS_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.message, "expected finite numbers: the weights are damaged"));
    kv_cache_free(&cache);
    qwen2_run_free(&run);
    qwen2_free(&model);
    free(folder);
}
END_TEST

/* What was cut off within the file's last page reads as zeros, which are finite: no logits may come of it. */
START_TEST(weights_that_became_shorter_are_not_believed)
{
    struct qwen2 model;
    struct qwen2_run run;
    struct kv_cache cache;
    struct error error;
    float logits[VOCAB_SIZE];
    char message[128];
    const int32_t token = 4;
    const struct edit edit = {.omit = NULL};
    char *folder = write_model(&edit);
    char *path = test_path(folder, "model.safetensors");
    assert_ok(qwen2_load(&model, folder, &error), &error);
    assert_ok(qwen2_run_init(&run, &model, 1, &error), &error);
    assert_ok(qwen2_cache_init(&cache, &model, 4, &error), &error);
    assert_ok(qwen2_prefill(&model, &run, &cache, &token, 1, logits, NULL, &error), &error);
    size_t size = model.files.files[0].size;
    ck_assert_int_eq(truncate(path, (off_t)size - 1), 0);
    snprintf(message, sizeof message,
             "model.safetensors: became shorter while it was in use: expected %zu bytes, found %zu", size,
             size - 1);
    assert_error(qwen2_prefill(&model, &run, &cache, &token, 1, logits, NULL, &error), &error, STATUS_IO,
                 folder, message);
    assert_error(qwen2_verify(&model, &error), &error, STATUS_IO, folder, message);
    kv_cache_free(&cache);
    qwen2_run_free(&run);
    qwen2_free(&model);
    free(path);
    free(folder);
}
END_TEST

/* More elements than 31 or 32 bits count: shapes alone, nothing is allocated. */
START_TEST(sizes_are_counted_in_64_bits)
{
    static const float somewhere;
    struct qwen2 model;
    memset(&model, 0, sizeof model);
    model.config.tied_head = true;
    model.embedding = (struct tensor){&somewhere, DTYPE_F32, 204800, 13824};
    model.head = model.embedding;
    ck_assert_uint_eq(qwen2_parameters(&model), 2831155200U);
    model.head = (struct tensor){&somewhere, DTYPE_F32, 151936, 3584};
    ck_assert_uint_eq(qwen2_weight_bytes(&model), 2178154496U);
    model.config.vocab_size = 151936;
    ck_assert_uint_eq(qwen2_logits_bytes(&model, 14135), (size_t)2147615360U * 4);
    ck_assert_uint_eq(qwen2_logits_bytes(&model, 1), 607744);
}
END_TEST

START_TEST(the_goldens_load_whatever_their_spelling)
{
    static const struct {
        const char *name;
        size_t parameters;
        int n_files;
    } models[] = {{"ch6_qwen2_f32", 159552, 1}, {"ch6_qwen2_sharded", 159552, 3}};
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        struct qwen2 model;
        struct error error;
        assert_ok(qwen2_load(&model, golden_path(models[i].name), &error), &error);
        ck_assert_uint_eq(qwen2_parameters(&model), models[i].parameters);
        ck_assert_int_eq(model.files.n_files, models[i].n_files);
        assert_ok(qwen2_verify(&model, &error), &error);
        qwen2_free(&model);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("qwen2_load");
    add_test(suite, "a whole model", a_whole_model_is_read);
    add_test(suite, "heads", a_tied_head_is_the_embedding_and_an_untied_one_is_not);
    add_test(suite, "missing", every_tensor_must_be_there);
    add_test(suite, "shapes", shapes_and_types_must_fit_the_config);
    add_test(suite, "surplus", a_tensor_too_many_is_refused);
    add_test(suite, "not finite", values_that_are_not_finite_are_found);
    add_test(suite, "became shorter", weights_that_became_shorter_are_not_believed);
    add_test(suite, "sizes", sizes_are_counted_in_64_bits);
    add_test(suite, "goldens", the_goldens_load_whatever_their_spelling);
    return suite;
}
