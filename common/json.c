#include "common/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mapped_file.h"

/* Where memory runs out jansson reports an error of syntax, or no error at all and drops a character of a text
 * ("Qwen2ForCausalM"). So its malloc notes a failure; a library's callback can reach nothing but a global. */
static _Thread_local bool memory_ran_out;

static void *noting_malloc(size_t size)
{
    void *memory = malloc(size);
    memory_ran_out = memory_ran_out || memory == NULL;
    return memory;
}

enum status json_read_bytes(json_t **root, const char *bytes, size_t size, const char *name,
                            struct error *error)
{
    json_error_t problem;
    const char *nul = size > 0 ? memchr(bytes, '\0', size) : NULL;
    *root = NULL;
    if (nul != NULL) { /* jansson would overlook one that follows a number */
        return error_set(error, STATUS_FORMAT, "%s: not valid JSON: a NUL byte at offset %zu", name,
                         (size_t)(nul - bytes));
    }
    memset(&problem, 0, sizeof problem);
    json_set_alloc_funcs(noting_malloc, free);
    memory_ran_out = false;
    *root = json_loadb(size > 0 ? bytes : "", size, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &problem);
    const char *kind = json_kind(*root);
    if (json_is_object(*root) && !memory_ran_out) {
        return STATUS_OK;
    }
    const bool parsed = *root != NULL;
    json_decref(*root);
    *root = NULL;
    if (memory_ran_out) {
        return error_no_memory(error, name, size);
    }
    if (parsed) {
        return error_set(error, STATUS_FORMAT, "%s: expected an object, found %s", name, kind);
    }
    return error_set(error, STATUS_FORMAT, "%s: not valid JSON: line %d, column %d: %s", name, problem.line,
                     problem.column, problem.text);
}

enum status json_read_file(json_t **root, const char *path, struct error *error)
{
    struct mapped_file file;
    *root = NULL;
    enum status status = mapped_file_open(&file, path, error);
    if (status == STATUS_OK) {
        status = json_read_bytes(root, (const char *)file.data, file.size, path, error);
        mapped_file_close(&file);
    }
    return status;
}

json_t *json_member(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    return json_is_null(value) ? NULL : value;
}

const char *json_text(const json_t *value)
{
    const char *text = json_string_value(value);
    return text != NULL && strlen(text) == json_string_length(value) ? text : NULL;
}

bool json_text_is(const json_t *value, const char *text)
{
    const char *own = json_text(value);
    return own != NULL && strcmp(own, text) == 0;
}

const char *json_kind(const json_t *value)
{
    if (value == NULL) {
        return "nothing";
    }
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "a list";
    case JSON_STRING: return "a string";
    case JSON_INTEGER: return "a whole number";
    case JSON_REAL: return "a number with a fraction";
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    case JSON_NULL: return "null";
    }
    return "something else";
}

const char *json_show(char out[JSON_SHOWN], const json_t *value)
{
    const size_t flags = JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9);
    size_t length = value != NULL ? json_dumpb(value, out, JSON_SHOWN - 1, flags) : 0;
    if (length == 0 || length >= JSON_SHOWN) {
        return json_kind(value);
    }
    out[length] = '\0';
    return out;
}

enum status json_get_int(const json_t *object, const char *key, int min, int max, int *value,
                         const char *file, struct error *error)
{
    char found[JSON_SHOWN];
    const json_t *member = json_member(object, key);
    if (member == NULL) {
        return STATUS_OK;
    }
    json_int_t number = json_integer_value(member);
    if (!json_is_integer(member) || number < min || number > max) {
        return error_set(error, STATUS_FORMAT, "%s: %s: expected a whole number from %d to %d, found %s",
                         file, key, min, max, json_show(found, member));
    }
    *value = (int)number;
    return STATUS_OK;
}

enum status json_get_double(const json_t *object, const char *key, double *value, const char *file,
                            struct error *error)
{
    char found[JSON_SHOWN];
    const json_t *member = json_member(object, key);
    if (member == NULL) {
        return STATUS_OK;
    }
    if (!json_is_number(member)) {
        return error_set(error, STATUS_FORMAT, "%s: %s: expected a number, found %s", file, key,
                         json_show(found, member));
    }
    *value = json_number_value(member);
    return STATUS_OK;
}

enum status json_get_bool(const json_t *object, const char *key, bool *value, const char *file,
                          struct error *error)
{
    char found[JSON_SHOWN];
    const json_t *member = json_member(object, key);
    if (member == NULL) {
        return STATUS_OK;
    }
    if (!json_is_boolean(member)) {
        return error_set(error, STATUS_FORMAT, "%s: %s: expected true or false, found %s", file, key,
                         json_show(found, member));
    }
    *value = json_is_true(member);
    return STATUS_OK;
}
