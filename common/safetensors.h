/* safetensors.h: the tensors of a model folder, used in place from mapped files.
 * Introduced in chapter 6.
 *
 *     8 bytes N, little-endian | N bytes of JSON: name -> dtype, shape, data_offsets | data
 *
 * Everything that the header says is checked against the file before it is believed: N against the size, every span
 * against its shape and type, spans against each other (no overlap, no hole), the last against the end of the file.
 * Format: https://github.com/huggingface/safetensors, README.md. */
#ifndef COMMON_SAFETENSORS_H
#define COMMON_SAFETENSORS_H

#include <stddef.h>

#include "common/mapped_file.h"
#include "common/status.h"
#include "common/tensor.h"

enum { SAFETENSORS_MAX_DIMS = 8 };

struct safetensors_entry {
    char *name;        /* owned */
    const char *dtype; /* as in the file: "F32", "BF16", "F16", "I64", … */
    int n_dims;
    size_t shape[SAFETENSORS_MAX_DIMS];
    const unsigned char *data; /* in the mapped file */
    size_t size;               /* bytes */
    const char *file;          /* the path of its file, for messages */
};

struct safetensors {
    struct mapped_file *files; /* one, or the shards */
    char **paths;
    int n_files;
    struct safetensors_entry *entries; /* sorted by name */
    int n_entries;
};

/* Opens one .safetensors file. errors: STATUS_IO, STATUS_FORMAT, STATUS_NO_MEMORY. */
enum status safetensors_open(struct safetensors *tensors, const char *path, struct error *error);

/* Opens a folder: model.safetensors, or the shards that model.safetensors.index.json names. A shard's name must be a
 * plain file name in that folder; the index decides which shard a tensor comes from. */
enum status safetensors_open_folder(struct safetensors *tensors, const char *folder, struct error *error);

/* Moves all weights into pages of 2 MB (huge_pages.h); views that were taken before are no longer valid. errors: those
 * of huge_pages_move; some files may have moved then, and all entries are still good. */
enum status safetensors_use_huge_pages(struct safetensors *tensors, struct error *error);

/* After the tensors were used: whether every file is still as long as it was (mapped_file_check_size).
 * errors: STATUS_IO names the one that is not. */
enum status safetensors_check_sizes(const struct safetensors *tensors, struct error *error);

void safetensors_close(struct safetensors *tensors); /* also of a zeroed struct */

/* What both are made of: adds the tensors of one more file, after those that are there already. Names of several files
 * may repeat and nothing is sorted by name until safetensors_sort, which safetensors_find needs. After an error
 * tensors is still good for safetensors_close. */
enum status safetensors_add_file(struct safetensors *tensors, const char *path, struct error *error);
void safetensors_sort(struct safetensors *tensors);

/* NULL when there is no such tensor. */
const struct safetensors_entry *safetensors_find(const struct safetensors *tensors, const char *name);

/* A view of the tensor, whose shape must be [rows, cols] or, when rows is 0, [cols]: a vector, seen as one row. Its type
 * must be F32, BF16 or F16.
 * errors: STATUS_FORMAT: missing, or another shape; STATUS_UNSUPPORTED: another type. The message names the tensor, what
 * was found and what was expected. */
enum status safetensors_view(struct tensor *view, const struct safetensors *tensors, const char *name,
                             int rows, int cols, struct error *error);

#endif
