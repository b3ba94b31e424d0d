#include "common/model_checks.h"

#include <limits.h>
#include <string.h>

/* The parsed file, and where its problems are reported. */
struct context {
    const json_t *root;
    const char *file;
    struct error *error;
};

static enum status refuse(const struct context *context, const char *key, const char *found,
                          const char *expected)
{
    return error_set(context->error, STATUS_UNSUPPORTED, "%s: %s: found %.120s, expected %s", context->file,
                     key, found, expected);
}

/* What a message shows of a value that is refused: a name without quotes, unless a NUL would cut it short. */
static const char *shown(char out[JSON_SHOWN], const json_t *value)
{
    return json_text(value) != NULL ? json_text(value) : json_show(out, value);
}

static enum status check_string(const struct context *context, const char *key, const char *expected)
{
    char found[JSON_SHOWN];
    const json_t *value = json_member(context->root, key);
    if (value == NULL || json_text_is(value, expected)) {
        return STATUS_OK;
    }
    return refuse(context, key, shown(found, value), expected);
}

static enum status check_names(const struct context *context)
{
    char found[JSON_SHOWN];
    const json_t *list = json_member(context->root, "architectures");
    if (json_member(context->root, "model_type") == NULL) {
        return refuse(context, "model_type", "nothing", "qwen2");
    }
    enum status status = check_string(context, "model_type", "qwen2");
    if (status != STATUS_OK || list == NULL) {
        return status;
    }
    if (!json_is_array(list) || json_array_size(list) != 1) {
        return refuse(context, "architectures", json_show(found, list), "a list of one: Qwen2ForCausalLM");
    }
    const json_t *name = json_array_get(list, 0);
    if (!json_text_is(name, "Qwen2ForCausalLM")) {
        return refuse(context, "architectures", shown(found, name), "Qwen2ForCausalLM");
    }
    return STATUS_OK;
}

/* Keys whose mere presence says that the weights or the attention are something else. */
static enum status check_extras(const struct context *context)
{
    static const struct {
        const char *key, *reason;
    } extras[] = {
        {"quantization_config", "none: quantised weights are not implemented"},
        {"compression_config", "none: quantised weights are not implemented"},
        {"quantization", "none: quantised weights are not implemented"},
        {"dual_chunk_attention_config", "none: dual chunk attention is not implemented"},
    };
    char found[JSON_SHOWN];
    for (size_t i = 0; i < sizeof extras / sizeof extras[0]; i++) {
        const json_t *value = json_member(context->root, extras[i].key);
        if (value != NULL) {
            const json_t *method = json_member(value, "quant_method");
            return refuse(context, extras[i].key, shown(found, method != NULL ? method : value),
                          extras[i].reason);
        }
    }
    if (json_member(json_member(context->root, "auto_map"), "AutoModelForCausalLM") != NULL) {
        return refuse(context, "auto_map", "a program of the model's own",
                      "none: only Qwen2ForCausalLM is implemented");
    }
    bool causal = true;
    bool mrope = false;
    enum status status = json_get_bool(context->root, "is_causal", &causal, context->file, context->error);
    if (status == STATUS_OK) {
        status = json_get_bool(context->root, "use_mrope", &mrope, context->file, context->error);
    }
    if (status == STATUS_OK && !causal) {
        return refuse(context, "is_causal", "false", "true: attention in both directions is not implemented");
    }
    if (status == STATUS_OK && mrope) {
        return refuse(context, "use_mrope", "true", "false: multimodal positions are not implemented");
    }
    return status;
}

/* A window is in use when a layer is listed with one, or, without a list, when the switch is on and layers lie at or
 * beyond max_window_layers. Defaults of transformers' Qwen2Config: 4096 and 28. */
enum status model_check_window(const json_t *root, const char *file, int n_layers, struct error *error)
{
    char found[JSON_SHOWN];
    const json_t *types = json_member(root, "layer_types");
    const struct context context = {root, file, error};
    bool on = false;
    int window = 4096;
    int first_layer = 28;
    enum status status = json_get_bool(root, "use_sliding_window", &on, file, error);
    if (status == STATUS_OK && types != NULL) {
        if (!json_is_array(types) || json_array_size(types) != (size_t)n_layers) {
            return error_set(error, STATUS_FORMAT, "%s: layer_types: expected a list of %d, found %s", file,
                             n_layers, json_show(found, types));
        }
        for (size_t i = 0; i < json_array_size(types); i++) {
            const json_t *type = json_array_get(types, i);
            if (!json_text_is(type, "full_attention")) {
                return refuse(&context, "layer_types", shown(found, type), "full_attention in every layer");
            }
        }
        return STATUS_OK;
    }
    if (status == STATUS_OK && on) {
        status = json_get_int(root, "sliding_window", 0, INT_MAX, &window, file, error);
        if (status == STATUS_OK) {
            status = json_get_int(root, "max_window_layers", 0, INT_MAX, &first_layer, file, error);
        }
        bool no_window = json_is_null(json_object_get(root, "sliding_window"));
        if (status == STATUS_OK && !no_window && first_layer < n_layers) {
            return error_set(
                error, STATUS_UNSUPPORTED,
                "%s: use_sliding_window: found true with a window of %d in layers %d to %d, expected "
                "false: sliding windows are not implemented",
                file, window, first_layer, n_layers - 1);
        }
    }
    return status;
}

/* One of the places where theta may stand; all that say something must say the same. */
static enum status take_theta(const struct context *context, const json_t *object, double *theta)
{
    double value = *theta;
    enum status status = json_get_double(object, "rope_theta", &value, context->file, context->error);
    if (status != STATUS_OK || json_member(object, "rope_theta") == NULL) {
        return status;
    }
    if (!(value > 0)) {
        return error_set(context->error, STATUS_FORMAT, "%s: rope_theta: expected a number above 0, found %g",
                         context->file, value);
    }
    if (*theta > 0 && *theta != value) {
        return error_set(context->error, STATUS_FORMAT,
                         "%s: rope_theta: found %.17g, expected %.17g as elsewhere in "
                         "the file",
                         context->file, value, *theta);
    }
    *theta = value;
    return STATUS_OK;
}

static bool is_default(const json_t *type)
{
    return type == NULL || json_text_is(type, "default");
}

/* rope_parameters or rope_scaling: nothing in it may ask for anything but the plain rotation. */
static enum status check_rope(const struct context *context, const char *key, double *theta)
{
    char found[JSON_SHOWN];
    const json_t *rope = json_member(context->root, key);
    const char *name = NULL;
    json_t *value = NULL;
    if (rope == NULL) {
        return STATUS_OK;
    }
    if (!json_is_object(rope)) {
        return error_set(context->error, STATUS_FORMAT, "%s: %s: expected an object, found %s", context->file,
                         key, json_show(found, rope));
    }
    const char *const spellings[] = {"rope_type", "type"};
    for (int i = 0; i < 2; i++) {
        const json_t *type = json_member(rope, spellings[i]);
        if (!is_default(type)) {
            return error_set(context->error, STATUS_UNSUPPORTED,
                             "%s: %s.%s: found %.120s, expected default: rope scaling is not implemented",
                             context->file, key, spellings[i], shown(found, type));
        }
    }
    json_object_foreach((json_t *)rope, name, value)
    {
        bool known =
            strcmp(name, "rope_type") == 0 || strcmp(name, "type") == 0 || strcmp(name, "rope_theta") == 0;
        bool whole = strcmp(name, "partial_rotary_factor") == 0 && json_number_value(value) == 1;
        if (!known && !whole && !json_is_null(value)) {
            return error_set(context->error, STATUS_UNSUPPORTED,
                             "%s: %s.%.120s: found %s, expected nothing: rope scaling is not implemented",
                             context->file, key, name, json_show(found, value));
        }
    }
    return take_theta(context, rope, theta);
}

enum status model_read_rope(const json_t *root, const char *file, double *theta, struct error *error)
{
    const struct context context = {root, file, error};
    char found[JSON_SHOWN];
    double rotated = 1;
    *theta = 0; /* nobody has said anything yet */
    enum status status = take_theta(&context, root, theta);
    if (status == STATUS_OK) {
        status = check_rope(&context, "rope_parameters", theta);
    }
    if (status == STATUS_OK) {
        status = check_rope(&context, "rope_scaling", theta);
    }
    if (status == STATUS_OK) {
        status = json_get_double(root, "partial_rotary_factor", &rotated, file, error);
    }
    if (status == STATUS_OK && rotated != 1) {
        return refuse(&context, "partial_rotary_factor",
                      json_show(found, json_member(root, "partial_rotary_factor")),
                      "1: every pair is rotated");
    }
    if (*theta == 0) {
        *theta = 10000;
    }
    return status;
}

enum status model_check_architecture(const json_t *root, const char *file, struct error *error)
{
    const struct context context = {root, file, error};
    enum status status = check_names(&context);
    status = status == STATUS_OK ? check_extras(&context) : status;
    return status == STATUS_OK ? check_string(&context, "hidden_act", "silu") : status;
}
