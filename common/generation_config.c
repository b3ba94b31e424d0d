/* generation_config.json: the second half of model_config.h. */
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "common/json.h"
#include "common/mapped_file.h"
#include "common/model_config.h"

static enum status add_end_id(struct generation_config *config, const json_t *value, const char *file,
                              struct error *error)
{
    char found[JSON_SHOWN];
    json_int_t id = json_integer_value(value);
    if (!json_is_integer(value) || id < 0 || id > INT32_MAX) {
        return error_set(error, STATUS_FORMAT, "%s: eos_token_id: expected token ids from 0 on, found %s",
                         file, json_show(found, value));
    }
    if (config->n_end_ids == MAX_END_IDS) {
        return error_set(error, STATUS_UNSUPPORTED, "%s: eos_token_id: expected at most %d ids, found more",
                         file, MAX_END_IDS);
    }
    config->end_ids[config->n_end_ids++] = (int32_t)id;
    return STATUS_OK;
}

/* One id or a list; *found tells whether the file says anything. */
static enum status read_end_ids(struct generation_config *config, bool *found, const json_t *root,
                                const char *file, struct error *error)
{
    const json_t *ids = json_member(root, "eos_token_id");
    *found = ids != NULL;
    if (ids == NULL) {
        return STATUS_OK;
    }
    if (!json_is_array(ids)) {
        return add_end_id(config, ids, file, error);
    }
    for (size_t i = 0; i < json_array_size(ids); i++) {
        enum status status = add_end_id(config, json_array_get(ids, i), file, error);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

/* Ways of choosing tokens that are not implemented, each with the value that turns it off. */
static enum status check_others(const json_t *root, const char *file, struct error *error)
{
    static const struct {
        const char *key;
        double off;
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
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        double value = others[i].off;
        enum status status = json_get_double(root, others[i].key, &value, file, error);
        if (status == STATUS_OK && value != others[i].off) {
            status =
                error_set(error, STATUS_UNSUPPORTED, "%s: %s: found %g, expected %g: it is not implemented",
                          file, others[i].key, value, others[i].off);
        }
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

static enum status read_sampling(struct generation_config *config, const json_t *root, const char *file,
                                 struct error *error)
{
    enum status status = json_get_bool(root, "do_sample", &config->do_sample, file, error);
    if (status == STATUS_OK) {
        status = json_get_double(root, "temperature", &config->temperature, file, error);
    }
    if (status == STATUS_OK) {
        status = json_get_int(root, "top_k", 0, INT_MAX, &config->top_k, file, error);
    }
    if (status == STATUS_OK) {
        status = json_get_double(root, "top_p", &config->top_p, file, error);
    }
    if (status == STATUS_OK) {
        status = json_get_double(root, "repetition_penalty", &config->repetition_penalty, file, error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    if (!(config->temperature >= 0)) {
        return error_set(error, STATUS_FORMAT, "%s: temperature: expected a number from 0 on, found %g", file,
                         config->temperature);
    }
    if (!(config->top_p >= 0 && config->top_p <= 1)) {
        return error_set(error, STATUS_FORMAT, "%s: top_p: expected a number from 0 to 1, found %g", file,
                         config->top_p);
    }
    if (!(config->repetition_penalty > 0)) {
        return error_set(error, STATUS_FORMAT, "%s: repetition_penalty: expected a number above 0, found %g",
                         file, config->repetition_penalty);
    }
    if (config->temperature == 0) { /* the limit of a small temperature */
        config->do_sample = false;
        config->temperature = 1;
    }
    return STATUS_OK;
}

/* Reads one of the two files; *found tells whether it names end ids. */
static enum status read_file(struct generation_config *config, const char *path, bool with_sampling,
                             bool *found, struct error *error)
{
    json_t *root = NULL;
    enum status status = json_read_file(&root, path, error);
    if (status == STATUS_OK && with_sampling) {
        status = check_others(root, path, error);
    }
    if (status == STATUS_OK && with_sampling) {
        status = read_sampling(config, root, path, error);
    }
    if (status == STATUS_OK) {
        status = read_end_ids(config, found, root, path, error);
    }
    json_decref(root);
    return status;
}

enum status generation_config_load(struct generation_config *config, const char *folder, struct error *error)
{
    char *own_path = NULL;
    char *model_path = NULL;
    struct stat about;
    bool found = false;
    *config = (struct generation_config){.temperature = 1, .top_k = 50, .top_p = 1, .repetition_penalty = 1};
    enum status status = path_in_folder(&own_path, folder, "generation_config.json", error);
    if (status == STATUS_OK) {
        status = path_in_folder(&model_path, folder, "config.json", error);
    }
    if (status == STATUS_OK && lstat(own_path, &about) == 0) {
        status = read_file(config, own_path, true, &found, error);
    }
    if (status == STATUS_OK && !found) {
        status = read_file(config, model_path, false, &found, error);
    }
    free(own_path);
    free(model_path);
    return status;
}

bool generation_config_is_end(const struct generation_config *config, int32_t id)
{
    for (int i = 0; i < config->n_end_ids; i++) {
        if (config->end_ids[i] == id) {
            return true;
        }
    }
    return false;
}
