#include "common/safetensors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/huge_pages.h"

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct safetensors_entry *)a)->name, ((const struct safetensors_entry *)b)->name);
}

void safetensors_sort(struct safetensors *tensors)
{
    if (tensors->n_entries > 0) {
        qsort(tensors->entries, (size_t)tensors->n_entries, sizeof *tensors->entries, by_name);
    }
}

enum status safetensors_open(struct safetensors *tensors, const char *path, struct error *error)
{
    memset(tensors, 0, sizeof *tensors);
    enum status status = safetensors_add_file(tensors, path, error);
    if (status != STATUS_OK) {
        safetensors_close(tensors);
        return status;
    }
    safetensors_sort(tensors);
    return STATUS_OK;
}

enum status safetensors_use_huge_pages(struct safetensors *tensors, struct error *error)
{
    for (int i = 0; i < tensors->n_files; i++) {
        struct mapped_file *file = &tensors->files[i];
        const unsigned char *before = file->data;
        enum status status = huge_pages_move(file, tensors->paths[i], error);
        if (status != STATUS_OK) {
            return status;
        }
        for (int e = 0; e < tensors->n_entries; e++) {
            struct safetensors_entry *entry = &tensors->entries[e];
            if (entry->file == tensors->paths[i]) {
                entry->data = file->data + (entry->data - before);
            }
        }
    }
    return STATUS_OK;
}

enum status safetensors_check_sizes(const struct safetensors *tensors, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < tensors->n_files && status == STATUS_OK; i++) {
        status = mapped_file_check_size(&tensors->files[i], tensors->paths[i], error);
    }
    return status;
}

void safetensors_close(struct safetensors *tensors)
{
    for (int i = 0; i < tensors->n_entries; i++) {
        free(tensors->entries[i].name);
    }
    for (int i = 0; i < tensors->n_files; i++) {
        mapped_file_close(&tensors->files[i]);
        free(tensors->paths[i]);
    }
    free(tensors->entries);
    free(tensors->files);
    free(tensors->paths);
    memset(tensors, 0, sizeof *tensors);
}

const struct safetensors_entry *safetensors_find(const struct safetensors *tensors, const char *name)
{
    int low = 0;
    int high = tensors->n_entries;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = strcmp(name, tensors->entries[middle].name);
        if (order == 0) {
            return &tensors->entries[middle];
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

enum { SHAPE_TEXT = 192 }; /* eight sizes of 20 digits */

static const char *shape_text(char text[SHAPE_TEXT], const struct safetensors_entry *entry)
{
    size_t length = 0;
    for (int i = 0; i < entry->n_dims; i++) {
        int added = snprintf(text + length, SHAPE_TEXT - length, i > 0 ? ", %zu" : "[%zu", entry->shape[i]);
        length += (size_t)added;
    }
    snprintf(text + length, SHAPE_TEXT - length, entry->n_dims > 0 ? "]" : "[]");
    return text;
}

static bool find_dtype(enum dtype *dtype, const char *name)
{
    static const enum dtype usable[] = {DTYPE_F32, DTYPE_BF16, DTYPE_F16};
    for (size_t i = 0; i < sizeof usable / sizeof usable[0]; i++) {
        if (strcmp(name, dtype_name(usable[i])) == 0) {
            *dtype = usable[i];
            return true;
        }
    }
    return false;
}

enum status safetensors_view(struct tensor *view, const struct safetensors *tensors, const char *name,
                             int rows, int cols, struct error *error)
{
    char expected[SHAPE_TEXT];
    char found[SHAPE_TEXT];
    const struct safetensors_entry *entry = safetensors_find(tensors, name);
    snprintf(expected, sizeof expected, rows == 0 ? "[%d]" : "[%d, %d]", rows == 0 ? cols : rows, cols);
    if (entry == NULL) {
        return error_set(error, STATUS_FORMAT, "%s%s: tensor %s: missing: expected one of shape %s",
                         tensors->n_files > 0 ? tensors->paths[0] : "no file",
                         tensors->n_files > 1 ? " and its other shards" : "", name, expected);
    }
    bool vector = rows == 0 && entry->n_dims == 1 && entry->shape[0] == (size_t)cols;
    bool matrix =
        rows > 0 && entry->n_dims == 2 && entry->shape[0] == (size_t)rows && entry->shape[1] == (size_t)cols;
    if (!vector && !matrix) {
        return error_set(error, STATUS_FORMAT, "%s: tensor %s: expected shape %s, found %s", entry->file,
                         name, expected, shape_text(found, entry));
    }
    enum dtype dtype = DTYPE_F32;
    if (!find_dtype(&dtype, entry->dtype)) {
        return error_set(error, STATUS_UNSUPPORTED, "%s: tensor %s: expected type F32, BF16 or F16, found %s",
                         entry->file, name, entry->dtype);
    }
    *view = (struct tensor){entry->data, dtype, rows == 0 ? 1 : rows, cols};
    return STATUS_OK;
}
