/* The header of one .safetensors file: everything it says is checked before it is believed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "common/safetensors.h"

enum { LENGTH_SIZE = 8, HEADER_MAX = 100000000 /* the limit of the reference implementation */ };

/* safetensors' types and how many bits an element takes; those below 8 bits are packed. */
static const struct {
    const char *name;
    unsigned bits;
} element_types[] = {{"F32", 32},    {"BF16", 16},   {"F16", 16},        {"F64", 64},        {"I64", 64},
                     {"I32", 32},    {"I16", 16},    {"I8", 8},          {"U64", 64},        {"U32", 32},
                     {"U16", 16},    {"U8", 8},      {"BOOL", 8},        {"C64", 64},        {"F8_E5M2", 8},
                     {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"F6_E2M3", 6},
                     {"F6_E3M2", 6}, {"F4", 4}};

/* What is being read, for the checks and their messages. */
struct context {
    const char *path;
    const unsigned char *data; /* what follows the header */
    size_t data_size;
    struct error *error;
};

static enum status bad_tensor(const struct context *context, const char *tensor, const char *what,
                              const char *found)
{
    return error_set(context->error, STATUS_FORMAT, "%s: tensor %.120s: %s, found %s", context->path, tensor,
                     what, found);
}

/* A size in a list of the header. */
static bool get_size(size_t *size, const json_t *list, size_t i)
{
    const json_t *value = json_array_get(list, i);
    json_int_t number = json_integer_value(value);
    *size = (size_t)number;
    return json_is_integer(value) && number >= 0 && (uintmax_t)number <= SIZE_MAX;
}

static enum status read_type(struct safetensors_entry *entry, unsigned *bits, const json_t *object,
                             const struct context *context)
{
    char found[JSON_SHOWN];
    const json_t *dtype = json_object_get(object, "dtype");
    if (json_text(dtype) == NULL) {
        return bad_tensor(context, entry->name, "dtype: expected a string", json_show(found, dtype));
    }
    for (size_t i = 0; i < sizeof element_types / sizeof element_types[0]; i++) {
        if (json_text_is(dtype, element_types[i].name)) {
            entry->dtype = element_types[i].name;
            *bits = element_types[i].bits;
            return STATUS_OK;
        }
    }
    return bad_tensor(context, entry->name, "dtype: expected a type of the format", json_text(dtype));
}

/* Fills the shape; *n_elements is SIZE_MAX when their number does not fit. */
static enum status read_shape(struct safetensors_entry *entry, size_t *n_elements, const json_t *object,
                              const struct context *context)
{
    char found[JSON_SHOWN];
    const json_t *shape = json_object_get(object, "shape");
    if (!json_is_array(shape)) {
        return bad_tensor(context, entry->name, "shape: expected a list", json_show(found, shape));
    }
    if (json_array_size(shape) > SAFETENSORS_MAX_DIMS) {
        return error_set(context->error, STATUS_UNSUPPORTED,
                         "%s: tensor %.120s: shape: expected at most %d "
                         "dimensions, found %zu",
                         context->path, entry->name, SAFETENSORS_MAX_DIMS, json_array_size(shape));
    }
    *n_elements = 1;
    entry->n_dims = (int)json_array_size(shape);
    for (int i = 0; i < entry->n_dims; i++) {
        if (!get_size(&entry->shape[i], shape, (size_t)i)) {
            return bad_tensor(context, entry->name, "shape: expected whole numbers from 0 on",
                              json_show(found, shape));
        }
        *n_elements = checked_product(*n_elements, entry->shape[i]);
    }
    return STATUS_OK;
}

/* The bytes that n elements fill, SIZE_MAX when that does not fit or is no whole number of bytes. */
static size_t byte_size(size_t n, unsigned bits)
{
    size_t eights = checked_product(n / 8, bits); /* eight elements of b bits are b bytes */
    size_t rest = n % 8 * bits;
    return eights > SIZE_MAX / 2 || rest % 8 != 0 ? SIZE_MAX : eights + rest / 8;
}

static enum status read_span(struct safetensors_entry *entry, size_t n_elements, unsigned bits,
                             const json_t *object, const struct context *context)
{
    char found[JSON_SHOWN];
    const json_t *offsets = json_object_get(object, "data_offsets");
    size_t begin = 0;
    size_t end = 0;
    if (json_array_size(offsets) != 2 || !get_size(&begin, offsets, 0) || !get_size(&end, offsets, 1)) {
        return bad_tensor(context, entry->name, "data_offsets: expected two whole numbers from 0 on",
                          json_show(found, offsets));
    }
    if (begin > end || end > context->data_size) {
        return error_set(
            context->error, STATUS_FORMAT,
            "%s: tensor %.120s: data_offsets: expected a span inside %zu bytes of data, found [%zu, %zu]",
            context->path, entry->name, context->data_size, begin, end);
    }
    size_t expected = n_elements == SIZE_MAX ? SIZE_MAX : byte_size(n_elements, bits);
    if (expected == SIZE_MAX) {
        return bad_tensor(context, entry->name, "shape: expected a whole number of bytes that fits memory",
                          json_show(found, json_object_get(object, "shape")));
    }
    if (end - begin != expected) {
        return error_set(
            context->error, STATUS_FORMAT,
            "%s: tensor %.120s: data_offsets: expected %zu bytes for its shape and type, found %zu",
            context->path, entry->name, expected, end - begin);
    }
    entry->data = context->data + begin;
    entry->size = end - begin;
    return STATUS_OK;
}

static enum status read_entry(struct safetensors_entry *entry, const json_t *object,
                              const struct context *context)
{
    unsigned bits = 0;
    size_t n_elements = 0;
    char found[JSON_SHOWN];
    if (!json_is_object(object)) {
        return bad_tensor(context, entry->name, "expected an object", json_show(found, object));
    }
    enum status status = read_type(entry, &bits, object, context);
    if (status == STATUS_OK) {
        status = read_shape(entry, &n_elements, object, context);
    }
    return status == STATUS_OK ? read_span(entry, n_elements, bits, object, context) : status;
}

static int by_place(const void *a, const void *b)
{
    const struct safetensors_entry *x = a;
    const struct safetensors_entry *y = b;
    if (x->data != y->data) {
        return x->data < y->data ? -1 : 1;
    }
    return (x->size > y->size) - (x->size < y->size);
}

/* The spans follow each other from the first byte of data to the last. */
static enum status check_places(struct safetensors_entry *entries, int n_entries,
                                const struct context *context)
{
    size_t end = 0;
    qsort(entries, (size_t)n_entries, sizeof *entries, by_place);
    for (int i = 0; i < n_entries; i++) {
        size_t begin = (size_t)(entries[i].data - context->data);
        if (begin != end) {
            return error_set(
                context->error, STATUS_FORMAT,
                "%s: tensor %.120s: data_offsets: expected to begin at %zu, where the one before ends, "
                "found %zu",
                context->path, entries[i].name, end, begin);
        }
        end += entries[i].size;
    }
    if (end != context->data_size) {
        return error_set(context->error, STATUS_FORMAT,
                         "%s: expected %zu bytes of data after the header, found %zu", context->path, end,
                         context->data_size);
    }
    return STATUS_OK;
}

static enum status read_entries(struct safetensors *tensors, json_t *header, const char *path,
                                const struct context *context)
{
    const char *name = NULL;
    json_t *object = NULL;
    int first = tensors->n_entries;
    size_t n = (size_t)first + json_object_size(header);
    struct safetensors_entry *entries =
        n > INT32_MAX ? NULL : realloc(tensors->entries, n * sizeof *entries + 1);
    if (entries == NULL) {
        return error_no_memory(context->error, path, checked_product(n, sizeof *entries));
    }
    tensors->entries = entries;
    json_object_foreach(header, name, object)
    {
        if (strcmp(name, "__metadata__") == 0) {
            continue;
        }
        struct safetensors_entry *entry = &entries[tensors->n_entries];
        memset(entry, 0, sizeof *entry);
        entry->file = path;
        entry->name = malloc(strlen(name) + 1);
        if (entry->name == NULL) {
            return error_no_memory(context->error, path, strlen(name) + 1);
        }
        memcpy(entry->name, name, strlen(name) + 1);
        tensors->n_entries++;
        enum status status = read_entry(entry, object, context);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return check_places(entries + first, tensors->n_entries - first, context);
}

/* Finds the header's JSON in the file. */
static enum status find_header(size_t *length, const struct mapped_file *file, const char *path,
                               struct error *error)
{
    uint64_t n = 0;
    if (file->size < LENGTH_SIZE) {
        return error_set(error, STATUS_FORMAT,
                         "%s: expected at least %d bytes, found %zu: not a safetensors file", path,
                         LENGTH_SIZE, file->size);
    }
    for (int i = LENGTH_SIZE - 1; i >= 0; i--) {
        n = n << 8 | file->data[i];
    }
    if (n > file->size - LENGTH_SIZE) { /* never n + 8, which may overflow */
        return error_set(error, STATUS_FORMAT,
                         "%s: length of the header (bytes 0 to 7): expected at most %zu, found %llu: cut "
                         "short, or not a safetensors file",
                         path, file->size - LENGTH_SIZE, (unsigned long long)n);
    }
    if (n > HEADER_MAX) {
        return error_set(error, STATUS_FORMAT,
                         "%s: length of the header (bytes 0 to 7): expected at most %d, found %llu", path,
                         HEADER_MAX, (unsigned long long)n);
    }
    *length = (size_t)n;
    return STATUS_OK;
}

static enum status check_metadata(const json_t *header, const char *path, struct error *error)
{
    char found[JSON_SHOWN];
    const char *key = NULL;
    json_t *value = NULL;
    json_t *metadata = json_object_get(header, "__metadata__");
    if (metadata != NULL && !json_is_object(metadata)) {
        return error_set(error, STATUS_FORMAT, "%s: __metadata__: expected an object, found %s", path,
                         json_show(found, metadata));
    }
    json_object_foreach(metadata, key, value)
    {
        if (!json_is_string(value)) {
            return error_set(error, STATUS_FORMAT, "%s: __metadata__: %.120s: expected a string, found %s",
                             path, key, json_show(found, value));
        }
    }
    return STATUS_OK;
}

static enum status read_file(struct safetensors *tensors, const struct mapped_file *file, const char *path,
                             struct error *error)
{
    size_t length = 0;
    json_t *header = NULL;
    enum status status = find_header(&length, file, path, error);
    if (status == STATUS_OK) {
        status = json_read_bytes(&header, (const char *)file->data + LENGTH_SIZE, length, path, error);
    }
    if (status == STATUS_OK) {
        status = check_metadata(header, path, error);
    }
    if (status == STATUS_OK &&
        file->data[LENGTH_SIZE] != '{') { /* JSON allows white space there, the format not */
        status = error_set(error, STATUS_FORMAT, "%s: header: expected { as its first byte, found 0x%02x",
                           path, file->data[LENGTH_SIZE]);
    }
    if (status == STATUS_OK) {
        const struct context context = {path, file->data + LENGTH_SIZE + length,
                                        file->size - LENGTH_SIZE - length, error};
        status = read_entries(tensors, header, path, &context);
    }
    json_decref(header);
    return status;
}

/* Room for one more file and its path. */
static enum status grow_files(struct safetensors *tensors, const char *path, struct error *error)
{
    size_t n = (size_t)tensors->n_files + 1;
    struct mapped_file *files = realloc(tensors->files, n * sizeof *files);
    if (files == NULL) {
        return error_no_memory(error, path, n * sizeof *files);
    }
    tensors->files = files;
    char **paths = realloc(tensors->paths, n * sizeof *paths);
    if (paths == NULL) {
        return error_no_memory(error, path, n * sizeof *paths);
    }
    tensors->paths = paths;
    return STATUS_OK;
}

enum status safetensors_add_file(struct safetensors *tensors, const char *path, struct error *error)
{
    struct mapped_file file;
    enum status status = grow_files(tensors, path, error);
    if (status == STATUS_OK) {
        status = mapped_file_open(&file, path, error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    char *own_path = malloc(strlen(path) + 1);
    if (own_path == NULL) {
        mapped_file_close(&file);
        return error_no_memory(error, path, strlen(path) + 1);
    }
    memcpy(own_path, path, strlen(path) + 1);
    tensors->files[tensors->n_files] = file;
    tensors->paths[tensors->n_files++] = own_path;
    return read_file(tensors, &file, own_path, error);
}
