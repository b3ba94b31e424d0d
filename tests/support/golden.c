#include "tests/support/golden.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

enum stored { STORED_F64, STORED_F32, STORED_BF16, STORED_F16, STORED_I64, N_STORED };
static const char *const stored_name[N_STORED] = {"F64", "F32", "BF16", "F16", "I64"};
static const size_t stored_size[N_STORED] = {8, 4, 2, 2, 8};

struct entry {
    enum stored type;
    size_t shape[GOLDEN_MAX_DIMS];
    int n_dims;
    size_t n;
    const unsigned char *data;
};

const char *golden_path(const char *relative)
{
    static char path[512];
    snprintf(path, sizeof path, "tests/goldens/%s", relative);
    return path;
}

void golden_open(struct golden *golden, const char *name)
{
    char relative[128];
    snprintf(golden->name, sizeof golden->name, "%s", name);
    snprintf(relative, sizeof relative, "%s.safetensors", name);
    const char *path = golden_path(relative);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s: cannot open (tests run from the project's root)", path);
    fseek(file, 0, SEEK_END);
    golden->size = (size_t)ftell(file);
    rewind(file);
    golden->bytes = test_alloc(golden->size);
    ck_assert_uint_eq(fread(golden->bytes, 1, golden->size, file), golden->size);
    fclose(file);
    golden->header_size = 0;
    for (int i = 7; i >= 0; i--) {
        golden->header_size = golden->header_size << 8 | golden->bytes[i];
    }
    ck_assert_uint_le(golden->header_size, golden->size - 8);
    char *header = test_alloc(golden->header_size + 1);
    memcpy(header, golden->bytes + 8, golden->header_size);
    header[golden->header_size] = '\0';
    golden->header = header;
}

void golden_close(struct golden *golden)
{
    free(golden->bytes);
    free((void *)golden->header);
}

/* The text after "key": inside the object that starts at text. */
static const char *member(const char *text, const char *key)
{
    char quoted[96];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(text, quoted);
    return found != NULL ? found + strlen(quoted) : NULL;
}

/* The goldens are written by one program, without white space and without braces inside names: a search is enough. */
static struct entry find(const struct golden *golden, const char *tensor)
{
    struct entry entry = {N_STORED, {0}, 0, 1, NULL};
    const char *object = member(golden->header, tensor);
    ck_assert_msg(object != NULL && *object == '{', "golden %s: no tensor '%s'", golden->name, tensor);
    const char *type = member(object, "dtype");
    for (int i = 0; i < N_STORED; i++) {
        size_t length = strlen(stored_name[i]);
        if (strncmp(type + 1, stored_name[i], length) == 0 && type[length + 1] == '"') {
            entry.type = (enum stored)i;
        }
    }
    ck_assert_msg(entry.type != N_STORED, "golden %s: '%s' has an unknown type", golden->name, tensor);
    const char *shape = member(object, "shape") + 1;
    while (*shape != ']') {
        char *end = NULL;
        ck_assert_int_lt(entry.n_dims, GOLDEN_MAX_DIMS);
        entry.shape[entry.n_dims] = strtoull(shape, &end, 10);
        entry.n *= entry.shape[entry.n_dims++];
        shape = *end == ',' ? end + 1 : end;
    }
    char *end = NULL;
    size_t first = strtoull(member(object, "data_offsets") + 1, &end, 10);
    size_t last = strtoull(end + 1, NULL, 10);
    ck_assert_uint_eq(last - first, entry.n * stored_size[entry.type]);
    ck_assert_uint_le(8 + golden->header_size + last, golden->size);
    entry.data = golden->bytes + 8 + golden->header_size + first;
    return entry;
}

void golden_mark(const char *file, const char *item)
{
    const char *build = getenv("BUILD");
    char path[512];
    snprintf(path, sizeof path, "%s/golden-used/%s.txt", build != NULL ? build : "build", file);
    FILE *log = fopen(path, "a");
    if (log != NULL) { /* a test program run by hand has no such folder, and nothing to record */
        fprintf(log, "%s\n", item);
        fclose(log);
    }
}

static struct entry use(const struct golden *golden, const char *tensor, size_t *n)
{
    struct entry entry = find(golden, tensor);
    golden_mark(golden->name, tensor);
    if (n != NULL) {
        *n = entry.n;
    }
    return entry;
}

/* Finite values only: no golden holds another. */
static double half_to_double(uint16_t half)
{
    int exponent = half >> 10 & 31;
    int mantissa = half & 1023;
    ck_assert_int_ne(exponent, 31);
    double value = exponent == 0 ? mantissa * 0x1p-24 : ldexp(1024 + mantissa, exponent - 25);
    return half & 0x8000 ? -value : value;
}

static double value_at(const struct entry *entry, size_t i)
{
    const unsigned char *at = entry->data + i * stored_size[entry->type];
    double f64 = 0;
    float f32 = 0;
    int64_t i64 = 0;
    uint16_t u16 = 0;
    switch (entry->type) {
    case STORED_F64: memcpy(&f64, at, 8); return f64;
    case STORED_F32: memcpy(&f32, at, 4); return (double)f32;
    case STORED_I64: memcpy(&i64, at, 8); return (double)i64;
    case STORED_F16: memcpy(&u16, at, 2); return half_to_double(u16);
    case STORED_BF16: {
        memcpy(&u16, at, 2);
        uint32_t wide = (uint32_t)u16 << 16;
        memcpy(&f32, &wide, 4);
        return (double)f32;
    }
    case N_STORED: break;
    }
    ck_abort_msg("unreachable");
    return 0;
}

double *golden_f64(const struct golden *golden, const char *tensor, size_t *n)
{
    struct entry entry = use(golden, tensor, n);
    double *values = test_alloc(entry.n * sizeof *values);
    for (size_t i = 0; i < entry.n; i++) {
        values[i] = value_at(&entry, i);
    }
    return values;
}

float *golden_f32(const struct golden *golden, const char *tensor, size_t *n)
{
    struct entry entry = use(golden, tensor, n);
    ck_assert_msg(entry.type != STORED_F64 && entry.type != STORED_I64,
                  "golden %s: '%s' does not fit float32", golden->name, tensor);
    float *values = test_alloc(entry.n * sizeof *values);
    for (size_t i = 0; i < entry.n; i++) {
        values[i] = (float)value_at(&entry, i);
    }
    return values;
}

uint16_t *golden_bf16(const struct golden *golden, const char *tensor, size_t *n)
{
    struct entry entry = use(golden, tensor, n);
    ck_assert_int_eq(entry.type, STORED_BF16);
    uint16_t *values = test_alloc(entry.n * sizeof *values);
    memcpy(values, entry.data, entry.n * sizeof *values);
    return values;
}

int64_t *golden_i64(const struct golden *golden, const char *tensor, size_t *n)
{
    struct entry entry = use(golden, tensor, n);
    ck_assert_int_eq(entry.type, STORED_I64);
    int64_t *values = test_alloc(entry.n * sizeof *values);
    memcpy(values, entry.data, entry.n * sizeof *values);
    return values;
}

int32_t *golden_i32(const struct golden *golden, const char *tensor, size_t *n)
{
    size_t count = 0;
    int64_t *wide = golden_i64(golden, tensor, &count);
    int32_t *values = test_alloc(count * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        values[i] = (int32_t)wide[i];
        ck_assert_int_eq(values[i], wide[i]);
    }
    free(wide);
    if (n != NULL) {
        *n = count;
    }
    return values;
}

int golden_shape(const struct golden *golden, const char *tensor, size_t shape[GOLDEN_MAX_DIMS])
{
    struct entry entry = find(golden, tensor);
    memcpy(shape, entry.shape, sizeof entry.shape);
    return entry.n_dims;
}
