/* A model folder: one file, or the shards that an index names. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/json.h"
#include "common/safetensors.h"

static const char single_name[] = "model.safetensors";
static const char index_name[] = "model.safetensors.index.json";

/* A link counts even when what it points to is gone: the message then names it. */
static bool exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

/* A name that cannot lead out of the folder. */
static bool is_plain_name(const json_t *value)
{
    const char *name = json_text(value);
    return name != NULL && name[0] != '\0' && strchr(name, '/') == NULL && strcmp(name, ".") != 0 &&
           strcmp(name, "..") != 0;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool has_file(const struct safetensors *tensors, const char *name)
{
    for (int i = 0; i < tensors->n_files; i++) {
        if (strcmp(file_name(tensors->paths[i]), name) == 0) {
            return true;
        }
    }
    return false;
}

/* Opens every shard that the map names, each once. */
static enum status open_shards(struct safetensors *tensors, const char *folder, const json_t *weight_map,
                               const char *index_path, struct error *error)
{
    char found[JSON_SHOWN];
    const char *tensor = NULL;
    json_t *shard = NULL;
    json_object_foreach((json_t *)weight_map, tensor, shard)
    {
        if (!is_plain_name(shard)) {
            return error_set(error, STATUS_FORMAT,
                             "%s: weight_map: %.120s: expected the name of a file in this folder, found %s",
                             index_path, tensor, json_show(found, shard));
        }
        if (has_file(tensors, json_string_value(shard))) {
            continue;
        }
        char *path = NULL;
        enum status status = path_in_folder(&path, folder, json_string_value(shard), error);
        if (status == STATUS_OK) {
            status = safetensors_add_file(tensors, path, error);
            free(path);
        }
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

/* Drops what stands in another shard than the one the index decides for. */
static enum status keep_mapped(struct safetensors *tensors, const json_t *weight_map, struct error *error)
{
    int n_kept = 0;
    for (int i = 0; i < tensors->n_entries; i++) {
        struct safetensors_entry *entry = &tensors->entries[i];
        const char *shard = json_string_value(json_object_get(weight_map, entry->name));
        if (shard == NULL) {
            return error_set(error, STATUS_FORMAT, "%s: tensor %.120s: found, expected only what %s lists",
                             entry->file, entry->name, index_name);
        }
        if (strcmp(shard, file_name(entry->file)) == 0) {
            struct safetensors_entry kept = *entry;
            *entry = tensors->entries[n_kept];
            tensors->entries[n_kept++] = kept;
        }
    }
    for (int i = n_kept; i < tensors->n_entries; i++) {
        free(tensors->entries[i].name);
    }
    tensors->n_entries = n_kept;
    return STATUS_OK;
}

static enum status check_complete(const struct safetensors *tensors, const json_t *weight_map,
                                  const char *index_path, struct error *error)
{
    const char *tensor = NULL;
    json_t *shard = NULL;
    json_object_foreach((json_t *)weight_map, tensor, shard)
    {
        if (safetensors_find(tensors, tensor) == NULL) {
            return error_set(error, STATUS_FORMAT,
                             "%s: weight_map: %.120s: expected in %s, which has no such tensor", index_path,
                             tensor, json_string_value(shard));
        }
    }
    return STATUS_OK;
}

static enum status open_index(struct safetensors *tensors, const char *folder, const char *index_path,
                              struct error *error)
{
    char found[JSON_SHOWN];
    json_t *index = NULL;
    enum status status = json_read_file(&index, index_path, error);
    if (status != STATUS_OK) {
        return status;
    }
    const json_t *weight_map = json_object_get(index, "weight_map");
    if (!json_is_object(weight_map) || json_object_size(weight_map) == 0) {
        status =
            error_set(error, STATUS_FORMAT, "%s: weight_map: expected an object with tensor names, found %s",
                      index_path, json_show(found, weight_map));
    } else {
        status = open_shards(tensors, folder, weight_map, index_path, error);
    }
    if (status == STATUS_OK) {
        status = keep_mapped(tensors, weight_map, error);
    }
    if (status == STATUS_OK) {
        safetensors_sort(tensors);
        status = check_complete(tensors, weight_map, index_path, error);
    }
    json_decref(index);
    return status;
}

enum status safetensors_open_folder(struct safetensors *tensors, const char *folder, struct error *error)
{
    char *single = NULL;
    char *index = NULL;
    memset(tensors, 0, sizeof *tensors);
    enum status status = path_in_folder(&single, folder, single_name, error);
    if (status == STATUS_OK) {
        status = path_in_folder(&index, folder, index_name, error);
    }
    if (status != STATUS_OK) {
        free(single);
        return status;
    }
    if (exists(single)) {
        status = safetensors_open(tensors, single, error);
    } else if (exists(index)) {
        status = open_index(tensors, folder, index, error);
    } else {
        status = error_set(error, STATUS_IO, "%s: expected %s or %s, found neither", folder, single_name,
                           index_name);
    }
    free(single);
    free(index);
    if (status != STATUS_OK) {
        safetensors_close(tensors);
    }
    return status;
}
