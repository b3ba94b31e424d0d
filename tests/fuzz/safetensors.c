/* The header of a .safetensors file: whole files of any bytes, and headers of the right length before data of a size
 * that fits. What is accepted is compared with a second reader, which asks the format's rules one by one. */
#include <jansson.h>
#include <string.h>

#include "common/safetensors.h"
#include "tests/fuzz/fuzz.h"

enum { LENGTH_SIZE = 8, MAX_DATA = 1024 };

static const struct {
    const char *name;
    uint64_t bits;
} types[] = {{"BOOL", 8},    {"U8", 8},          {"I8", 8},          {"F8_E5M2", 8}, {"F8_E4M3", 8},
             {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"F6_E2M3", 6}, {"F6_E3M2", 6},
             {"F4", 4},      {"I16", 16},        {"U16", 16},        {"F16", 16},    {"BF16", 16},
             {"I32", 32},    {"U32", 32},        {"F32", 32},        {"I64", 64},    {"U64", 64},
             {"F64", 64},    {"C64", 64}};

/* The bits of an element, 0 for no type of the format. */
static uint64_t bits_of(const json_t *dtype)
{
    for (size_t i = 0; json_is_string(dtype) && i < sizeof types / sizeof types[0]; i++) {
        if (json_string_length(dtype) == strlen(types[i].name) && /* no NUL behind the name */
            strcmp(json_string_value(dtype), types[i].name) == 0) {
            return types[i].bits;
        }
    }
    return 0;
}

static bool is_size(const json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

/* Whether shape, type and span of one tensor agree; *begin and *end get the span. */
static bool good_tensor(const json_t *tensor, size_t data_size, uint64_t *begin, uint64_t *end)
{
    const json_t *shape = json_object_get(tensor, "shape");
    const json_t *span = json_object_get(tensor, "data_offsets");
    uint64_t bits = bits_of(json_object_get(tensor, "dtype"));
    if (bits == 0 || !json_is_array(shape) || json_array_size(shape) > SAFETENSORS_MAX_DIMS ||
        !json_is_array(span) || json_array_size(span) != 2 || !is_size(json_array_get(span, 0)) ||
        !is_size(json_array_get(span, 1))) {
        return false;
    }
    *begin = (uint64_t)json_integer_value(json_array_get(span, 0));
    *end = (uint64_t)json_integer_value(json_array_get(span, 1));
    if (*begin > *end || *end > data_size) {
        return false;
    }
    double elements = 1; /* exact wherever it matters: the data is small */
    for (size_t i = 0; i < json_array_size(shape); i++) {
        if (!is_size(json_array_get(shape, i))) {
            return false;
        }
        elements *= (double)json_integer_value(json_array_get(shape, i));
    }
    return elements * (double)bits == (double)(*end - *begin) * 8;
}

/* What the spans seen so far cover. */
struct cover {
    uint8_t used[MAX_DATA];      /* how often */
    bool inside[MAX_DATA + 1];   /* a span lies on both sides of this offset */
    bool is_empty[MAX_DATA + 1]; /* a span of no bytes lies here */
    size_t n_used;
};

/* False when a byte is covered twice. */
static bool add_span(struct cover *cover, uint64_t begin, uint64_t end)
{
    for (uint64_t i = begin; i < end; i++) {
        if (cover->used[i]++ != 0) {
            return false;
        }
        cover->inside[i] = i > begin;
        cover->n_used++;
    }
    cover->is_empty[begin] = cover->is_empty[begin] || begin == end;
    return true;
}

/* A tensor of no bytes stands between two others, not inside one. */
static bool empty_ones_between(const struct cover *cover)
{
    for (size_t i = 0; i <= MAX_DATA; i++) {
        if (cover->is_empty[i] && cover->inside[i]) {
            return false;
        }
    }
    return true;
}

/* The rules of the format, for a file whose header is root. */
static bool second_reader(const json_t *root, size_t data_size)
{
    static struct cover cover;
    const char *name = NULL;
    json_t *tensor = NULL;
    memset(&cover, 0, sizeof cover);
    if (!json_is_object(root)) {
        return false;
    }
    json_object_foreach((json_t *)root, name, tensor)
    {
        uint64_t begin = 0;
        uint64_t end = 0;
        const char *key = NULL;
        json_t *value = NULL;
        if (strcmp(name, "__metadata__") == 0) {
            json_object_foreach(tensor, key, value)
            {
                if (!json_is_string(value)) {
                    return false;
                }
            }
            if (!json_is_object(tensor)) {
                return false;
            }
            continue;
        }
        if (!good_tensor(tensor, data_size, &begin, &end) || !add_span(&cover, begin, end)) {
            return false;
        }
    }
    return cover.n_used == data_size && empty_ones_between(&cover);
}

static size_t product(const struct safetensors_entry *entry)
{
    size_t n = 1;
    for (int i = 0; i < entry->n_dims; i++) {
        n *= entry->shape[i];
    }
    return n;
}

/* Opens the file and checks what safetensors.h promises. Returns whether it was accepted. */
static bool open_and_check(const uint8_t *bytes, size_t size)
{
    struct safetensors tensors;
    struct error error = {STATUS_OK, ""};
    const char *path = fuzz_write("model.safetensors", bytes, size);
    if (safetensors_open(&tensors, path, &error) != STATUS_OK) {
        fuzz_check_error(&error);
        return false;
    }
    size_t total = 0;
    unsigned sum = 0;
    for (int i = 0; i < tensors.n_entries; i++) {
        const struct safetensors_entry *entry = &tensors.entries[i];
        struct tensor view;
        EXPECT(i == 0 || strcmp(tensors.entries[i - 1].name, entry->name) < 0);
        EXPECT(safetensors_find(&tensors, entry->name) == entry);
        for (size_t k = 0; k < entry->size; k++) {
            sum += entry->data[k];
        }
        total += entry->size;
        int rows = entry->n_dims == 2 ? (int)entry->shape[0] : 0;
        int cols = entry->n_dims > 0 ? (int)entry->shape[entry->n_dims - 1] : 1;
        if (rows >= 0 && cols >= 0 &&
            safetensors_view(&view, &tensors, entry->name, rows, cols, &error) == STATUS_OK) {
            EXPECT(product(entry) * dtype_size(view.dtype) == entry->size);
        }
    }
    EXPECT(total <= size && sum <= 255 * total);
    EXPECT(safetensors_find(&tensors, "no such tensor") == NULL);
    safetensors_close(&tensors);
    return true;
}

void fuzz_safetensors_file(const uint8_t *data, size_t size)
{
    json_t *root = NULL;
    uint64_t length = UINT64_MAX;
    if (size >= LENGTH_SIZE) {
        memcpy(&length, data, sizeof length);
    }
    bool fits =
        size >= LENGTH_SIZE && length <= size - LENGTH_SIZE && size - LENGTH_SIZE - length <= MAX_DATA;
    if (fits) {
        root = fuzz_json(data + LENGTH_SIZE, (size_t)length);
    }
    bool expected =
        root != NULL && data[LENGTH_SIZE] == '{' && second_reader(root, size - LENGTH_SIZE - (size_t)length);
    bool accepted = open_and_check(data, size);
    EXPECT(accepted == expected || (!fits && accepted));
}

/* The largest end of a span: with as many bytes of data a good header makes a good file. */
static size_t wanted_data(const json_t *root)
{
    const char *name = NULL;
    json_t *tensor = NULL;
    json_int_t largest = 0;
    json_object_foreach((json_t *)root, name, tensor)
    {
        json_int_t end = json_integer_value(json_array_get(json_object_get(tensor, "data_offsets"), 1));
        largest = end > largest ? end : largest;
    }
    return largest < MAX_DATA ? (size_t)largest : MAX_DATA;
}

void fuzz_safetensors_header(const uint8_t *data, size_t size)
{
    json_t *root = fuzz_json(data, size);
    size_t data_size = wanted_data(root);
    uint64_t length = size;
    uint8_t *file = fuzz_alloc(LENGTH_SIZE + size + data_size);
    memcpy(file, &length, LENGTH_SIZE);
    if (size > 0) {
        memcpy(file + LENGTH_SIZE, data, size);
    }
    memset(file + LENGTH_SIZE + size, 7, data_size);
    bool accepted = open_and_check(file, LENGTH_SIZE + size + data_size);
    EXPECT(accepted == (size > 0 && data[0] == '{' && second_reader(root, data_size)));
    free(file);
}
