#include "tests/bad-input/make_input.h"

#include <ctype.h>
#include <dirent.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/files.h"
#include "tests/support/test.h"

size_t unescape(char *text)
{
    char *out = text;
    for (const char *at = text; *at != '\0'; at++) {
        if (at[0] == '\\' && at[1] == 'x' && isxdigit((unsigned char)at[2]) &&
            isxdigit((unsigned char)at[3])) {
            const char digits[] = {at[2], at[3], '\0'};
            *out++ = (char)strtoul(digits, NULL, 16);
            at += 3;
        } else if (at[0] == '\\' && strchr("nt\\", at[1]) != NULL && at[1] != '\0') {
            *out++ = at[1] == 'n' ? '\n' : at[1] == 't' ? '\t' : '\\';
            at++;
        } else {
            *out++ = *at;
        }
    }
    *out = '\0';
    return (size_t)(out - text);
}

static void link_base(const char *folder, const char *base)
{
    char source[256];
    char target[4096];
    if (strcmp(base, "none") == 0) {
        return;
    }
    snprintf(source, sizeof source,
             strcmp(base, "tiny") == 0 ? "chapters/06-qwen2.5/%s-stories" : "tests/goldens/ch6_qwen2_%s",
             base);
    DIR *stream = opendir(source);
    ck_assert_msg(stream != NULL && getcwd(target, sizeof target) != NULL, "%s: no such base", base);
    char *top = test_path(target, source);
    for (const struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
        if (entry->d_name[0] != '.') {
            char *from = test_path(top, entry->d_name);
            char *to = test_path(folder, entry->d_name);
            ck_assert_int_eq(symlink(from, to), 0);
            free(from);
            free(to);
        }
    }
    free(top);
    closedir(stream);
}

/* Writes a file in place of a link, not through it. */
static void replace(const char *folder, const char *name, const void *bytes, size_t size)
{
    char *path = test_path(folder, name);
    unlink(path);
    free(path);
    write_bytes(folder, name, bytes, size);
}

/* A file of the folder, read; in a .safetensors file *json_size and *json_at tell where the header's JSON is. */
static char *read_file(const char *folder, const char *name, size_t *size, size_t *json_at, size_t *json_size)
{
    char *path = test_path(folder, name);
    char *bytes = read_bytes(path, size);
    const char *ending = strstr(name, ".safetensors");
    bool has_header = ending != NULL && ending[strlen(".safetensors")] == '\0';
    *json_at = has_header ? 8 : 0;
    *json_size = *size;
    if (has_header) {
        uint64_t length = 0;
        memcpy(&length, bytes, sizeof length);
        *json_size = (size_t)length;
    }
    free(path);
    return bytes;
}

static json_t *child_of(json_t *value, const char *key)
{
    return json_is_array(value) ? json_array_get(value, strtoul(key, NULL, 10)) : json_object_get(value, key);
}

/* Sets the value at path, or takes it out when value is NULL. */
static void edit(json_t *root, char *path, json_t *value)
{
    json_t *parent = root;
    for (char *slash = strchr(path, '/'); slash != NULL; slash = strchr(path, '/')) {
        *slash = '\0';
        parent = child_of(parent, path);
        path = slash + 1;
    }
    ck_assert_msg(json_is_object(parent) || json_is_array(parent), "%s: no such place", path);
    if (json_is_object(parent)) {
        ck_assert_int_eq(
            value != NULL ? json_object_set_new(parent, path, value) : json_object_del(parent, path), 0);
    } else {
        size_t index = strtoul(path, NULL, 10);
        ck_assert_int_eq(
            value != NULL ? json_array_set_new(parent, index, value) : json_array_remove(parent, index), 0);
    }
}

/* Writes the JSON back; in a .safetensors file with its length before it and the data behind it. */
static void write_edited(const char *folder, const char *name, const json_t *root, const char *rest,
                         size_t rest_size, size_t length_size)
{
    char *edited = json_dumps(root, JSON_COMPACT);
    uint64_t length = strlen(edited);
    char *made = test_alloc(length_size + length + rest_size);
    memcpy(made, &length, length_size);
    memcpy(made + length_size, edited, length); /* NOLINT(bugprone-not-null-terminated-result): no string */
    memcpy(made + length_size + length, rest, rest_size);
    replace(folder, name, made, length_size + length + rest_size);
    free(edited);
    free(made);
}

/* set, unset (text NULL) and rename (text the new key). */
static void edit_file(const char *folder, const char *name, char *path, const char *text, bool rename)
{
    size_t size = 0;
    size_t json_at = 0;
    size_t json_size = 0;
    char *bytes = read_file(folder, name, &size, &json_at, &json_size);
    json_t *root = json_loadb(bytes + json_at, json_size, JSON_DECODE_ANY, NULL);
    if (rename) {
        ck_assert_int_eq(json_object_set(root, text, json_object_get(root, path)), 0);
        edit(root, path, NULL);
    } else {
        json_t *value = text != NULL ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
        ck_assert_msg(root != NULL && (text == NULL || value != NULL), "%s %s: not JSON", name, path);
        edit(root, path, value);
    }
    write_edited(folder, name, root, bytes + json_at + json_size, size - json_at - json_size, json_at);
    json_decref(root);
    free(bytes);
}

static void change_end(const char *folder, const char *name, size_t cut, const char *more, size_t more_size)
{
    size_t size = 0;
    size_t json_at = 0;
    size_t json_size = 0;
    char *bytes = read_file(folder, name, &size, &json_at, &json_size);
    ck_assert_uint_ge(size, cut);
    char *made = test_alloc(size + more_size);
    memcpy(made, bytes, size);
    memcpy(made + size - cut, more, more_size);
    replace(folder, name, made, size - cut + more_size);
    free(made);
    free(bytes);
}

static void fill_tensor(const char *folder, const char *name, const char *tensor, unsigned byte)
{
    size_t size = 0;
    size_t json_at = 0;
    size_t json_size = 0;
    char *bytes = read_file(folder, name, &size, &json_at, &json_size);
    json_t *root = json_loadb(bytes + json_at, json_size, 0, NULL);
    const json_t *span = json_object_get(json_object_get(root, tensor), "data_offsets");
    ck_assert_uint_eq(json_array_size(span), 2);
    size_t begin = (size_t)json_integer_value(json_array_get(span, 0));
    size_t end = (size_t)json_integer_value(json_array_get(span, 1));
    memset(bytes + json_at + json_size + begin, (int)byte, end - begin);
    replace(folder, name, bytes, size);
    json_decref(root);
    free(bytes);
}

static void duplicate_tensor(const char *folder, const char *name, const char *tensor, const char *more)
{
    size_t size = 0;
    size_t json_at = 0;
    size_t json_size = 0;
    char *bytes = read_file(folder, name, &size, &json_at, &json_size);
    json_t *root = json_loadb(bytes + json_at, json_size, 0, NULL);
    json_t *entry = json_deep_copy(json_object_get(root, tensor));
    const json_t *span = json_object_get(entry, "data_offsets");
    ck_assert_uint_eq(json_array_size(span), 2);
    size_t begin = (size_t)json_integer_value(json_array_get(span, 0));
    size_t end = (size_t)json_integer_value(json_array_get(span, 1));
    size_t data_size = size - json_at - json_size;
    char *data = test_alloc(data_size + end - begin);
    memcpy(data, bytes + json_at + json_size, data_size);
    memcpy(data + data_size, data + begin, end - begin);
    json_object_set_new(entry, "data_offsets",
                        json_pack("[I, I]", (json_int_t)data_size, (json_int_t)(data_size + end - begin)));
    ck_assert_int_eq(json_object_set_new(root, more, entry), 0);
    write_edited(folder, name, root, data, data_size + end - begin, json_at);
    json_decref(root);
    free(data);
    free(bytes);
}

static void write_tensors(const char *folder, const char *name, size_t size, const char *header)
{
    char *path = test_path(folder, name);
    void *data = calloc(size + 1, 1);
    ck_assert_ptr_nonnull(data);
    unlink(path);
    write_safetensors(folder, name, header, data, size);
    free(data);
    free(path);
}

/* Cuts the first word off *text. */
static char *word(char **text)
{
    char *start = *text;
    size_t length = strcspn(start, " ");
    *text = start + length + (start[length] == ' ');
    start[length] = '\0';
    return start;
}

static void apply(const char *folder, char *step)
{
    char *rest = step;
    const char *verb = word(&rest);
    char *name = word(&rest);
    char *path = test_path(folder, name);
    if (strcmp(verb, "set") == 0) {
        char *place = word(&rest);
        edit_file(folder, name, place, rest, false);
    } else if (strcmp(verb, "unset") == 0) {
        edit_file(folder, name, rest, NULL, false);
    } else if (strcmp(verb, "rename") == 0) {
        char *key = word(&rest);
        edit_file(folder, name, key, rest, true);
    } else if (strcmp(verb, "write") == 0) {
        replace(folder, name, rest, unescape(rest));
    } else if (strcmp(verb, "tensors") == 0) {
        size_t size = strtoul(word(&rest), NULL, 10);
        write_tensors(folder, name, size, rest);
    } else if (strcmp(verb, "cut") == 0) {
        change_end(folder, name, strtoul(rest, NULL, 10), "", 0);
    } else if (strcmp(verb, "append") == 0) {
        size_t size = unescape(rest);
        change_end(folder, name, 0, rest, size);
    } else if (strcmp(verb, "fill") == 0) {
        const char *tensor = word(&rest);
        fill_tensor(folder, name, tensor, (unsigned)strtoul(rest, NULL, 16));
    } else if (strcmp(verb, "duplicate") == 0) {
        const char *tensor = word(&rest);
        duplicate_tensor(folder, name, tensor, rest);
    } else if (strcmp(verb, "copy") == 0) {
        size_t size = 0;
        char *bytes = read_bytes(path, &size);
        replace(folder, rest, bytes, size);
        free(bytes);
    } else {
        unlink(path);
        int made = strcmp(verb, "remove") == 0   ? 0
                   : strcmp(verb, "folder") == 0 ? mkdir(path, 0777)
                   : strcmp(verb, "pipe") == 0   ? mkfifo(path, 0666)
                   : strcmp(verb, "link") == 0   ? symlink(rest, path)
                                                 : -1;
        ck_assert_msg(made == 0, "%s %s: cannot be done", verb, name);
    }
    free(path);
}

void make_input(const char *folder, const char *description)
{
    char *steps = test_alloc(strlen(description) + 1);
    memcpy(steps, description, strlen(description) + 1);
    char *step = steps;
    for (bool first = true; step != NULL; first = false) {
        char *end = strstr(step, " ; ");
        if (end != NULL) {
            *end = '\0';
        }
        if (first) {
            link_base(folder, step);
        } else {
            apply(folder, step);
        }
        step = end != NULL ? end + 3 : NULL;
    }
    free(steps);
}
