#include "common/model_config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "common/mapped_file.h"
#include "common/model_checks.h"

enum { MAX_LAYERS = 10000, MAX_WIDTH = 1 << 24 };

/* The parsed file, and where its problems are reported. */
struct context {
    const json_t *root;
    const char *file;
    struct error *error;
};

static enum status need_int(const struct context *context, const char *key, int max, int *value)
{
    if (json_member(context->root, key) == NULL) {
        return error_set(context->error, STATUS_FORMAT,
                         "%s: %s: missing: expected a whole number from 1 to %d", context->file, key, max);
    }
    return json_get_int(context->root, key, 1, max, value, context->file, context->error);
}

static enum status read_sizes(const struct context *context, struct model_config *config)
{
    const struct {
        const char *key;
        int max;
        int *value;
    } sizes[] = {{"hidden_size", MAX_WIDTH, &config->d_model},
                 {"intermediate_size", MAX_WIDTH, &config->d_ff},
                 {"num_hidden_layers", MAX_LAYERS, &config->n_layers},
                 {"num_attention_heads", MAX_WIDTH, &config->n_heads},
                 {"vocab_size", INT_MAX, &config->vocab_size},
                 {"max_position_embeddings", INT_MAX, &config->max_seq_len}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        enum status status = need_int(context, sizes[i].key, sizes[i].max, sizes[i].value);
        if (status != STATUS_OK) {
            return status;
        }
    }
    bool says_null = json_is_null(json_object_get(context->root, "num_key_value_heads"));
    config->n_kv_heads = says_null ? config->n_heads : 32;
    return json_get_int(context->root, "num_key_value_heads", 1, MAX_WIDTH, &config->n_kv_heads,
                        context->file, context->error);
}

/* What no single number says: heads must share out evenly, and pairs need an even head. */
static enum status read_heads(const struct context *context, struct model_config *config)
{
    if (config->n_heads % config->n_kv_heads != 0) {
        return error_set(
            context->error, STATUS_FORMAT,
            "%s: num_key_value_heads: %s%d, expected a divisor of num_attention_heads = %d", context->file,
            json_object_get(context->root, "num_key_value_heads") != NULL ? "found " : "absent, so ",
            config->n_kv_heads, config->n_heads);
    }
    if (json_member(context->root, "head_dim") == NULL && config->d_model % config->n_heads != 0) {
        return error_set(
            context->error, STATUS_FORMAT,
            "%s: hidden_size: found %d, expected a multiple of num_attention_heads = %d (there is no "
            "head_dim)",
            context->file, config->d_model, config->n_heads);
    }
    config->head_dim = config->d_model / config->n_heads;
    enum status status = json_get_int(context->root, "head_dim", 1, MAX_WIDTH, &config->head_dim,
                                      context->file, context->error);
    if (status != STATUS_OK) {
        return status;
    }
    if (config->head_dim % 2 != 0) {
        return error_set(context->error, STATUS_FORMAT, "%s: head_dim: found %d, expected an even number",
                         context->file, config->head_dim);
    }
    if (config->head_dim > MAX_WIDTH / config->n_heads) {
        return error_set(context->error, STATUS_FORMAT,
                         "%s: head_dim: found %d in each of %d heads, expected at most "
                         "%d in all",
                         context->file, config->head_dim, config->n_heads, MAX_WIDTH);
    }
    return STATUS_OK;
}

static enum status read_config(const struct context *context, struct model_config *config)
{
    enum status status = model_check_architecture(context->root, context->file, context->error);
    status = status == STATUS_OK ? read_sizes(context, config) : status;
    status = status == STATUS_OK ? read_heads(context, config) : status;
    status = status == STATUS_OK
                 ? model_check_window(context->root, context->file, config->n_layers, context->error)
                 : status;
    status = status == STATUS_OK
                 ? model_read_rope(context->root, context->file, &config->rope_theta, context->error)
                 : status;
    if (status == STATUS_OK) {
        status = json_get_double(context->root, "rms_norm_eps", &config->rms_norm_eps, context->file,
                                 context->error);
    }
    if (status == STATUS_OK) {
        status = json_get_bool(context->root, "tie_word_embeddings", &config->tied_head, context->file,
                               context->error);
    }
    if (status == STATUS_OK && !(config->rms_norm_eps > 0)) {
        status =
            error_set(context->error, STATUS_FORMAT, "%s: rms_norm_eps: found %g, expected a number above 0",
                      context->file, config->rms_norm_eps);
    }
    return status;
}

enum status model_config_parse(struct model_config *config, const char *bytes, size_t size, const char *name,
                               struct error *error)
{
    json_t *root = NULL;
    memset(config, 0, sizeof *config);
    config->rms_norm_eps = 1e-6; /* the defaults of Qwen2Config; its tie_word_embeddings is false */
    enum status status = json_read_bytes(&root, bytes, size, name, error);
    if (status == STATUS_OK) {
        const struct context context = {root, name, error};
        status = read_config(&context, config);
    }
    json_decref(root);
    return status;
}

enum status model_config_load(struct model_config *config, const char *folder, struct error *error)
{
    char *path = NULL;
    struct mapped_file file = {.data = NULL};
    enum status status = path_in_folder(&path, folder, "config.json", error);
    if (status == STATUS_OK) {
        status = mapped_file_open(&file, path, error);
    }
    if (status == STATUS_OK) {
        status = model_config_parse(config, (const char *)file.data, file.size, path, error);
    }
    mapped_file_close(&file);
    free(path);
    return status;
}
