#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */
#include "tests/bench/random_model.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "common/rng.h"

static const struct model_config shapes[] = {
    [SHAPE_QWEN2_0_5B] = {.d_model = 896,
                          .d_ff = 4864,
                          .n_layers = 24,
                          .n_heads = 14,
                          .n_kv_heads = 2,
                          .head_dim = 64,
                          .vocab_size = 151936,
                          .max_seq_len = 32768,
                          .rope_theta = 1e6,
                          .rms_norm_eps = 1e-6,
                          .tied_head = true},
    [SHAPE_SMALL] = {.d_model = 64,
                     .d_ff = 160,
                     .n_layers = 2,
                     .n_heads = 4,
                     .n_kv_heads = 2,
                     .head_dim = 16,
                     .vocab_size = 32768,
                     .max_seq_len = 32768,
                     .rope_theta = 1e6,
                     .rms_norm_eps = 1e-6,
                     .tied_head = true},
};

enum { HUGE_PAGE = 1 << 21 };

/* Hands out tensors from the mapping, or, without one, only counts; the file's header is written the same way. */
struct layout {
    unsigned char *weights;
    size_t n_bytes;
    FILE *header;
};

static void place(struct layout *layout, struct tensor *tensor, const char *name, int rows, int cols)
{
    size_t n_bytes = 2 * (size_t)rows * (size_t)cols;
    *tensor = (struct tensor){layout->weights == NULL ? NULL : layout->weights + layout->n_bytes, DTYPE_BF16,
                              rows, cols};
    if (layout->header != NULL) {
        fprintf(layout->header, "%s\"%s\":{\"dtype\":\"BF16\",\"shape\":[", layout->n_bytes == 0 ? "{" : ",",
                name);
        if (rows > 1) {
            fprintf(layout->header, "%d,", rows);
        }
        fprintf(layout->header, "%d],", cols);
        fprintf(layout->header, "\"data_offsets\":[%zu,%zu]}", layout->n_bytes, layout->n_bytes + n_bytes);
    }
    layout->n_bytes += n_bytes;
}

static void place_all(struct layout *layout, struct qwen2 *model)
{
    const struct model_config *c = &model->config;
    int q = c->n_heads * c->head_dim, kv = c->n_kv_heads * c->head_dim;
    place(layout, &model->embedding, "model.embed_tokens.weight", c->vocab_size, c->d_model);
    for (int l = 0; l < c->n_layers; l++) {
        struct decoder_block_weights *w = &model->layers[l];
        const struct {
            const char *name;
            struct tensor *tensor;
            int rows, cols;
        } tensors[] = {
            {"self_attn.q_proj.weight", &w->w_q, q, c->d_model},
            {"self_attn.k_proj.weight", &w->w_k, kv, c->d_model},
            {"self_attn.v_proj.weight", &w->w_v, kv, c->d_model},
            {"self_attn.o_proj.weight", &w->w_o, c->d_model, q},
            {"mlp.gate_proj.weight", &w->ffn.w_gate, c->d_ff, c->d_model},
            {"mlp.up_proj.weight", &w->ffn.w_up, c->d_ff, c->d_model},
            {"mlp.down_proj.weight", &w->ffn.w_down, c->d_model, c->d_ff},
            {"self_attn.q_proj.bias", &w->b_q, 1, q},
            {"self_attn.k_proj.bias", &w->b_k, 1, kv},
            {"self_attn.v_proj.bias", &w->b_v, 1, kv},
            {"input_layernorm.weight", &w->attn_norm, 1, c->d_model},
            {"post_attention_layernorm.weight", &w->ffn_norm, 1, c->d_model},
        };
        for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++) {
            char name[96];
            snprintf(name, sizeof name, "model.layers.%d.%s", l, tensors[i].name);
            place(layout, tensors[i].tensor, name, tensors[i].rows, tensors[i].cols);
        }
        w->ffn.activation = ACTIVATION_SILU;
    }
    place(layout, &model->final_norm, "model.norm.weight", 1, c->d_model);
    model->head = model->embedding;
}

/* Each weight has a random sign and mantissa and lies between 2^-6 and 2^-5: about the size of trained ones. */
static void fill(unsigned char *weights, size_t n_bytes)
{
    struct rng rng;
    rng_init(&rng, 1);
    for (size_t i = 0; i < n_bytes; i += sizeof(uint64_t)) {
        uint64_t four = (rng_next(&rng) & 0x807f807f807f807fULL) | 0x3c803c803c803c80ULL;
        size_t n = n_bytes - i < sizeof four ? n_bytes - i : sizeof four;
        memcpy(weights + i, &four, n);
    }
}

/* The model without memory for its weights, and how much they need. */
static enum status init_empty(struct random_model *random, enum model_shape shape, struct error *error)
{
    memset(random, 0, sizeof *random);
    struct qwen2 *model = &random->model;
    model->config = shapes[shape];
    model->block = qwen2_block_config(&model->config);
    size_t n_layers = (size_t)model->config.n_layers;
    model->layers = calloc(n_layers, sizeof *model->layers);
    if (model->layers == NULL) {
        return error_no_memory(error, "layers", n_layers * sizeof *model->layers);
    }
    struct layout count = {NULL, 0, NULL};
    place_all(&count, model);
    random->n_bytes = count.n_bytes;
    return STATUS_OK;
}

size_t random_model_bytes(enum model_shape shape)
{
    struct random_model random;
    struct error error;
    size_t n_bytes = init_empty(&random, shape, &error) == STATUS_OK ? random.n_bytes : 0;
    random_model_free(&random);
    return n_bytes;
}

enum status random_model_init(struct random_model *random, enum model_shape shape, bool huge_pages,
                              struct error *error)
{
    enum status status = init_empty(random, shape, error);
    if (status != STATUS_OK) {
        return status;
    }
    random->mapping_size = random->n_bytes + 2 * (size_t)HUGE_PAGE;
    random->mapping =
        mmap(NULL, random->mapping_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (random->mapping == MAP_FAILED) {
        random->mapping = NULL;
        return error_no_memory(error, "random weights", random->mapping_size);
    }
#ifdef MADV_HUGEPAGE
    madvise(random->mapping, random->mapping_size, huge_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#else
    (void)huge_pages;
#endif
    uintptr_t start = ((uintptr_t)random->mapping + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    random->weights = (unsigned char *)random->mapping + (start - (uintptr_t)random->mapping);
    fill(random->weights, random->n_bytes);
    struct layout layout = {random->weights, 0, NULL};
    place_all(&layout, &random->model);
    return STATUS_OK;
}

void random_model_free(struct random_model *random)
{
    free(random->model.layers);
    if (random->mapping != NULL) {
        munmap(random->mapping, random->mapping_size);
    }
    memset(random, 0, sizeof *random);
}

static bool write_config(const struct model_config *c, const char *folder)
{
    char path[512];
    snprintf(path, sizeof path, "%s/config.json", folder);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    fprintf(file,
            "{\"architectures\":[\"Qwen2ForCausalLM\"],\"model_type\":\"qwen2\",\"hidden_act\":\"silu\","
            "\"hidden_size\":%d,\"intermediate_size\":%d,\"num_hidden_layers\":%d,\"num_attention_heads\":%d,"
            "\"num_key_value_heads\":%d,\"vocab_size\":%d,\"max_position_embeddings\":%d,\"rope_theta\":%.1f,"
            "\"rms_norm_eps\":%g,\"tie_word_embeddings\":true}\n",
            c->d_model, c->d_ff, c->n_layers, c->n_heads, c->n_kv_heads, c->vocab_size, c->max_seq_len,
            c->rope_theta, c->rms_norm_eps);
    return fclose(file) == 0;
}

static bool write_weights(const struct random_model *random, const char *path)
{
    char *header;
    size_t header_size;
    struct layout layout = {random->weights, 0, open_memstream(&header, &header_size)};
    if (layout.header == NULL) {
        return false;
    }
    struct qwen2 copy = random->model; /* its views are set to what they are already */
    place_all(&layout, &copy);
    fprintf(layout.header, "}");
    bool ok = fclose(layout.header) == 0;
    FILE *file = ok ? fopen(path, "wb") : NULL;
    unsigned char length[8];
    for (int i = 0; i < 8; i++) {
        length[i] = (unsigned char)((uint64_t)header_size >> (8 * i) & 0xff);
    }
    ok = file != NULL && fwrite(length, 1, 8, file) == 8 &&
         fwrite(header, 1, header_size, file) == header_size &&
         fwrite(random->weights, 1, random->n_bytes, file) == random->n_bytes;
    if (file != NULL) {
        ok = fclose(file) == 0 && ok;
    }
    free(header);
    return ok;
}

enum status random_model_save(const struct random_model *random, const char *folder, struct error *error)
{
    char path[512], unfinished[520];
    struct stat stat_of_file;
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    snprintf(unfinished, sizeof unfinished, "%s.new", path);
    if (stat(path, &stat_of_file) == 0) {
        return STATUS_OK;
    }
    if ((mkdir(folder, 0777) != 0 && errno != EEXIST) || !write_config(&random->model.config, folder) ||
        !write_weights(random, unfinished) || rename(unfinished, path) != 0) {
        return error_set(error, STATUS_IO, "%s: cannot write: %s", folder, strerror(errno));
    }
    return STATUS_OK;
}

double random_model_product_flops(const struct random_model *random, int n_tokens, int n_logit_rows)
{
    const struct model_config *c = &random->model.config;
    double head = (double)c->vocab_size * c->d_model;
    double q = (double)c->n_heads * c->head_dim, kv = (double)c->n_kv_heads * c->head_dim;
    double layer = c->d_model * (2 * q + 2 * kv + 3.0 * c->d_ff);
    return 2 * (n_tokens * layer * c->n_layers + n_logit_rows * head);
}

/* Token t looks at t + 1 slots; each costs head_dim products for the score and as many for the value. */
double random_model_attention_flops(const struct random_model *random, int n_tokens)
{
    const struct model_config *c = &random->model.config;
    double n_pairs = (double)n_tokens * (n_tokens + 1) / 2;
    return 4 * n_pairs * c->n_heads * c->head_dim * c->n_layers;
}
