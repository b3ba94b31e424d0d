/* The weights of qwen2.h: from a Hugging Face folder, each checked against the config. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/qwen2.h"

static const char embedding_name[] = "model.embed_tokens.weight";
static const char final_norm_name[] = "model.norm.weight";
static const char head_name[] = "lm_head.weight";

/* Views are taken one by one; what nobody took is surplus. */
struct loader {
    const struct safetensors *files;
    bool *taken; /* [n_entries] */
    struct error *error;
};

static enum status take(struct loader *loader, struct tensor *view, const char *name, int rows, int cols)
{
    enum status status = safetensors_view(view, loader->files, name, rows, cols, loader->error);
    if (status == STATUS_OK) {
        loader->taken[safetensors_find(loader->files, name) - loader->files->entries] = true;
    }
    return status;
}

static enum status take_layer(struct loader *loader, struct decoder_block_weights *w,
                              const struct decoder_block_config *c, int layer)
{
    const int q_width = c->n_heads * c->head_dim;
    const int kv_width = c->n_kv_heads * c->head_dim;
    const struct {
        const char *name;
        struct tensor *view;
        int rows, cols; /* 0 rows: a vector */
    } tensors[] = {
        {"input_layernorm.weight", &w->attn_norm, 0, c->d_model},
        {"self_attn.q_proj.weight", &w->w_q, q_width, c->d_model},
        {"self_attn.q_proj.bias", &w->b_q, 0, q_width},
        {"self_attn.k_proj.weight", &w->w_k, kv_width, c->d_model},
        {"self_attn.k_proj.bias", &w->b_k, 0, kv_width},
        {"self_attn.v_proj.weight", &w->w_v, kv_width, c->d_model},
        {"self_attn.v_proj.bias", &w->b_v, 0, kv_width},
        {"self_attn.o_proj.weight", &w->w_o, c->d_model, q_width},
        {"post_attention_layernorm.weight", &w->ffn_norm, 0, c->d_model},
        {"mlp.gate_proj.weight", &w->ffn.w_gate, c->d_ff, c->d_model},
        {"mlp.up_proj.weight", &w->ffn.w_up, c->d_ff, c->d_model},
        {"mlp.down_proj.weight", &w->ffn.w_down, c->d_model, c->d_ff},
    };
    w->ffn.activation = ACTIVATION_SILU;
    for (size_t i = 0; i < sizeof tensors / sizeof tensors[0]; i++) {
        char name[96];
        snprintf(name, sizeof name, "model.layers.%d.%s", layer, tensors[i].name);
        enum status status = take(loader, tensors[i].view, name, tensors[i].rows, tensors[i].cols);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

/* A tied head is the embedding; some checkpoints carry a copy all the same, which counts for nothing. */
static enum status take_head(struct loader *loader, struct qwen2 *model)
{
    const struct safetensors_entry *copy = safetensors_find(loader->files, head_name);
    if (!model->config.tied_head) {
        return take(loader, &model->head, head_name, model->config.vocab_size, model->config.d_model);
    }
    if (copy != NULL) {
        loader->taken[copy - loader->files->entries] = true;
    }
    model->head = model->embedding;
    return STATUS_OK;
}

static enum status check_surplus(const struct loader *loader, const struct model_config *config)
{
    for (int i = 0; i < loader->files->n_entries; i++) {
        const struct safetensors_entry *entry = &loader->files->entries[i];
        if (!loader->taken[i]) {
            return error_set(
                loader->error, STATUS_UNSUPPORTED,
                "%s: tensor %.120s: found, expected no such tensor in a Qwen2 model of %d layers",
                entry->file, entry->name, config->n_layers);
        }
    }
    return STATUS_OK;
}

static enum status take_all(struct loader *loader, struct qwen2 *model)
{
    const struct model_config *config = &model->config;
    enum status status = take(loader, &model->embedding, embedding_name, config->vocab_size, config->d_model);
    for (int layer = 0; status == STATUS_OK && layer < config->n_layers; layer++) {
        status = take_layer(loader, &model->layers[layer], &model->block, layer);
    }
    if (status == STATUS_OK) {
        status = take(loader, &model->final_norm, final_norm_name, 0, config->d_model);
    }
    if (status == STATUS_OK) {
        status = take_head(loader, model);
    }
    return status == STATUS_OK ? check_surplus(loader, config) : status;
}

static enum status load_weights(struct qwen2 *model, struct error *error)
{
    size_t n_layers = (size_t)model->config.n_layers;
    struct loader loader = {&model->files, NULL, error};
    model->layers = calloc(n_layers, sizeof *model->layers);
    loader.taken = calloc((size_t)model->files.n_entries + 1, sizeof *loader.taken);
    enum status status = STATUS_OK;
    if (model->layers == NULL || loader.taken == NULL) {
        status = error_no_memory(error, "layers", checked_product(n_layers, sizeof *model->layers));
    } else {
        status = take_all(&loader, model);
    }
    free(loader.taken);
    return status;
}

struct decoder_block_config qwen2_block_config(const struct model_config *config)
{
    return (struct decoder_block_config){.d_model = config->d_model,
                                         .n_heads = config->n_heads,
                                         .n_kv_heads = config->n_kv_heads,
                                         .head_dim = config->head_dim,
                                         .d_ff = config->d_ff,
                                         .rms_norm_eps = config->rms_norm_eps,
                                         .rope_layout = ROPE_HALF};
}

enum status qwen2_load(struct qwen2 *model, const char *folder, struct error *error)
{
    memset(model, 0, sizeof *model);
    enum status status = model_config_load(&model->config, folder, error);
    if (status == STATUS_OK) {
        model->block = qwen2_block_config(&model->config);
        status = safetensors_open_folder(&model->files, folder, error);
    }
    if (status == STATUS_OK) {
        status = load_weights(model, error);
    }
    if (status != STATUS_OK) {
        qwen2_free(model);
    }
    return status;
}

enum status qwen2_use_huge_pages(struct qwen2 *model, struct error *error)
{
    enum status status = safetensors_use_huge_pages(&model->files, error);
    if (status == STATUS_OK) { /* the views, again */
        free(model->layers);
        model->layers = NULL;
        status = load_weights(model, error);
    }
    return status;
}

void qwen2_free(struct qwen2 *model)
{
    free(model->layers);
    safetensors_close(&model->files);
    memset(model, 0, sizeof *model);
}

/* Adds up n tensors; a missing one counts for nothing. */
static void count(size_t *parameters, size_t *bytes, const struct tensor *tensors[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (tensor_present(tensors[i])) {
            size_t elements = (size_t)tensors[i]->rows * (size_t)tensors[i]->cols;
            *parameters += elements;
            *bytes += elements * dtype_size(tensors[i]->dtype);
        }
    }
}

/* Parameters and bytes of the layers and the final norm. */
static void count_body(const struct qwen2 *model, size_t *parameters, size_t *bytes)
{
    const struct tensor *last[] = {&model->final_norm};
    *parameters = 0;
    *bytes = 0;
    count(parameters, bytes, last, 1);
    for (int i = 0; i < model->config.n_layers; i++) {
        const struct decoder_block_weights *w = &model->layers[i];
        const struct tensor *layer[] = {&w->attn_norm,  &w->w_q,        &w->b_q,        &w->w_k,
                                        &w->b_k,        &w->w_v,        &w->b_v,        &w->w_o,
                                        &w->b_o,        &w->ffn_norm,   &w->ffn.w_up,   &w->ffn.b_up,
                                        &w->ffn.w_gate, &w->ffn.b_gate, &w->ffn.w_down, &w->ffn.b_down};
        count(parameters, bytes, layer, sizeof layer / sizeof layer[0]);
    }
}

size_t qwen2_weight_bytes(const struct qwen2 *model)
{
    size_t parameters = 0;
    size_t bytes = 0;
    const struct tensor *head[] = {&model->head};
    count_body(model, &parameters, &bytes);
    count(&parameters, &bytes, head, 1);
    return bytes;
}

size_t qwen2_parameters(const struct qwen2 *model)
{
    size_t parameters = 0;
    size_t bytes = 0;
    const struct tensor *ends[] = {&model->embedding, &model->head};
    count_body(model, &parameters, &bytes);
    count(&parameters, &bytes, ends, model->config.tied_head ? 1 : 2);
    return parameters;
}

enum status qwen2_verify(const struct qwen2 *model, struct error *error)
{
    for (int i = 0; i < model->files.n_entries; i++) {
        const struct safetensors_entry *entry = &model->files.entries[i];
        struct tensor view;
        if (model->config.tied_head && strcmp(entry->name, head_name) == 0) {
            continue; /* not used, so of any shape and type */
        }
        int rows = entry->n_dims == 2 ? (int)entry->shape[0] : 0;
        int cols = (int)entry->shape[entry->n_dims - 1];
        enum status status = safetensors_view(&view, &model->files, entry->name, rows, cols, error);
        if (status != STATUS_OK) {
            return status;
        }
        for (int row = 0; row < view.rows; row++) {
            for (int col = 0; col < view.cols; col++) {
                float value = tensor_at(&view, row, col);
                if (!isfinite(value)) {
                    return error_set(error, STATUS_FORMAT,
                                     "%s: tensor %s: found %s in row %d, column %d, expected finite numbers",
                                     entry->file, entry->name,
                                     isnan(value) ? "nan"
                                     : value > 0  ? "inf"
                                                  : "-inf",
                                     row, col);
                }
            }
        }
    }
    return safetensors_check_sizes(&model->files, error);
}
