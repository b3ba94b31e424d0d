/* model.safetensors.index.json, in a folder that holds two shards with the tensors a and b, and b and c. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "common/safetensors.h"
#include "tests/fuzz/fuzz.h"

static void write_shard(const char *name, const char *first, const char *second)
{
    char header[256];
    char file[512] = {0};
    int length = snprintf(header, sizeof header,
                          "{\"%s\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
                          "\"%s\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[4,8]}}",
                          first, second);
    file[0] = (char)length; /* below 256 */
    EXPECT(length > 0 && length < 256);
    memcpy(file + 8, header, (size_t)length);
    fuzz_write(name, file, 8 + (size_t)length + 8);
}

void fuzz_shard_index(const uint8_t *data, size_t size)
{
    static bool shards_written;
    struct safetensors tensors;
    struct error error = {STATUS_OK, ""};
    if (!shards_written) {
        write_shard("1.safetensors", "a", "b");
        write_shard("2.safetensors", "b", "c");
        shards_written = true;
    }
    fuzz_write("model.safetensors.index.json", data, size);
    if (safetensors_open_folder(&tensors, fuzz_folder(), &error) != STATUS_OK) {
        fuzz_check_error(&error);
        return;
    }
    /* Accepted: exactly the tensors of the map, each from the shard that the map names. */
    json_t *root = fuzz_json(data, size);
    const json_t *map = json_object_get(root, "weight_map");
    EXPECT(json_object_size(map) == (size_t)tensors.n_entries);
    for (int i = 0; i < tensors.n_entries; i++) {
        const struct safetensors_entry *entry = &tensors.entries[i];
        const char *shard = json_string_value(json_object_get(map, entry->name));
        const char *slash = strrchr(entry->file, '/');
        EXPECT(shard != NULL && slash != NULL && strcmp(slash + 1, shard) == 0);
        EXPECT(entry->size == 4);
    }
    safetensors_close(&tensors);
}
