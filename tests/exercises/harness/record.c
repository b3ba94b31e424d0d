#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol.h"

enum { MAX_CASES = 256, MAX_VALUES = 65536 };

static void *need(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "judge: out of memory\n");
        exit(PROTOCOL_HARNESS_FAILED);
    }
    return memory;
}

/* "VALUE" at *at: moves behind it; false when it is none. */
static bool read_value(const char **at, double *value, unsigned char *mark)
{
    static const char unwritten[] = " unwritten";
    *value = 0;
    if (strncmp(*at, unwritten, sizeof unwritten - 1) == 0) {
        *mark = MARK_UNWRITTEN;
        *at += sizeof unwritten - 1;
        return true;
    }
    if (strncmp(*at, " nan", 4) == 0) {
        *mark = MARK_NAN;
        *at += 4;
        return true;
    }
    char *end = NULL;
    *mark = MARK_NUMBER;
    *value = strtod(*at, &end);
    if (**at != ' ' || end == *at || *value != *value) {
        return false;
    }
    *at = end;
    return true;
}

static bool read_values(struct array *array, const char *at)
{
    if (array->n < 0 || array->n > MAX_VALUES) {
        return false;
    }
    array->value = need(calloc((size_t)array->n + 1, sizeof *array->value));
    array->mark = need(calloc((size_t)array->n + 1, sizeof *array->mark));
    if (array->type == 't') { /* a space, then two hexadecimal digits a byte */
        if (*at++ != ' ') {
            return false;
        }
        for (int i = 0; i < array->n; i++, at += 2) {
            char digits[3] = {at[0], at[0] != '\0' ? at[1] : '\0', '\0'};
            char *end = NULL;
            array->value[i] = (double)strtoul(digits, &end, 16);
            if (end != digits + 2) {
                return false;
            }
        }
        return *at == '\0';
    }
    for (int i = 0; i < array->n; i++) {
        if (!read_value(&at, &array->value[i], &array->mark[i])) {
            return false;
        }
    }
    return *at == '\0';
}

static bool read_input(struct one_case *c, const char *line)
{
    int used = 0;
    if (c->n_inputs == RECORD_MAX_ARRAYS) {
        return false;
    }
    struct array *array = &c->input[c->n_inputs];
    if (sscanf(line, "in %63s %c %d%n", array->name, &array->type, &array->n, &used) != 3) {
        return false;
    }
    c->n_inputs++;
    return read_values(array, line + used);
}

static bool read_output(struct one_case *c, const char *line)
{
    int used = 0;
    if (c->n_outputs == RECORD_MAX_ARRAYS) {
        return false;
    }
    struct array *array = &c->output[c->n_outputs];
    if (sscanf(line, "out %63s %c %d %lg %lg%n", array->name, &array->type, &array->n, &array->absolute,
               &array->relative, &used) != 5) {
        return false;
    }
    c->n_outputs++;
    return read_values(array, line + used);
}

static bool read_guard(struct one_case *c, const char *line)
{
    char name[64];
    char side[8];
    if (sscanf(line, "guard %63s %7s", name, side) != 2) {
        return false;
    }
    for (int i = 0; i < c->n_outputs; i++) {
        if (strcmp(c->output[i].name, name) == 0) {
            c->output[i].broken_before |= strcmp(side, "before") == 0;
            c->output[i].broken_after |= strcmp(side, "after") == 0;
            return true;
        }
    }
    return false;
}

/* One line without its newline; false when it is not of the protocol or not in its place. */
static bool read_line(struct record *record, const char *line)
{
    struct one_case *last = record->n_cases > 0 ? &record->cases[record->n_cases - 1] : NULL;
    bool open = last != NULL && !last->ended;
    if (record->ended) {
        return false;
    }
    if (strncmp(line, "case ", 5) == 0) {
        if (open || record->n_cases == MAX_CASES) {
            return false;
        }
        record->cases = need(realloc(record->cases, ((size_t)record->n_cases + 1) * sizeof *record->cases));
        last = &record->cases[record->n_cases++];
        memset(last, 0, sizeof *last);
        snprintf(last->name, sizeof last->name, "%s", line + 5);
        return true;
    }
    if (strncmp(line, "end ", 4) == 0) {
        record->ended = !open && atoi(line + 4) == record->n_cases;
        return record->ended;
    }
    if (!open) {
        return false;
    }
    if (strcmp(line, "endcase") == 0) {
        last->ended = true;
        return true;
    }
    return strncmp(line, "in ", 3) == 0    ? read_input(last, line)
           : strncmp(line, "out ", 4) == 0 ? read_output(last, line)
                                           : strncmp(line, "guard ", 6) == 0 && read_guard(last, line);
}

void record_read(struct record *record, const char *text, size_t length)
{
    const char *end = text + length;
    memset(record, 0, sizeof *record);
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t n = newline != NULL ? (size_t)(newline - text) : (size_t)(end - text);
        char *line = need(malloc(n + 1));
        memcpy(line, text, n);
        line[n] = '\0';
        if (newline != NULL &&
            !read_line(record, line)) { /* a last line without its end is a crash's, not garbage */
            record->garbled = true;
        }
        free(line);
        text += n + 1;
    }
}

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "judge: %s: %s\n", path, strerror(errno));
        return NULL;
    }
    size_t capacity = 1 << 16;
    char *text = need(malloc(capacity + 1));
    *length = 0;
    for (size_t n = 0; (n = fread(text + *length, 1, capacity - *length, file)) > 0;) {
        *length += n;
        if (*length == capacity) {
            capacity *= 2;
            text = need(realloc(text, capacity + 1));
        }
    }
    text[*length] = '\0';
    fclose(file);
    return text;
}

int record_read_expected(struct record **records, const char *path)
{
    static const char head[] = "variant ";
    size_t length = 0;
    int n = 0;
    char *text = read_file(path, &length);
    *records = NULL;
    for (const char *at = text; at != NULL && strncmp(at, head, sizeof head - 1) == 0; n++) {
        const char *body = strchr(at, '\n');
        if (body == NULL) {
            break;
        }
        const char *next = strstr(body, "\nvariant ");
        *records = need(realloc(*records, ((size_t)n + 1) * sizeof **records));
        struct record *record = &(*records)[n];
        record_read(record, body + 1, next != NULL ? (size_t)(next - body) : strlen(body + 1));
        snprintf(record->name, sizeof record->name, "%.*s", (int)(body - at) - (int)(sizeof head - 1),
                 at + sizeof head - 1);
        if (!record->ended || record->garbled || record->n_cases != (*records)[0].n_cases) {
            fprintf(stderr, "judge: %s: the variant '%s' is not whole\n", path, record->name);
            free(text);
            return 0;
        }
        at = next != NULL ? next + 1 : NULL;
    }
    free(text);
    return n;
}

static void free_arrays(struct array *arrays, int n)
{
    for (int i = 0; i < n; i++) {
        free(arrays[i].value);
        free(arrays[i].mark);
    }
}

void record_free(struct record *record)
{
    for (int i = 0; i < record->n_cases; i++) {
        free_arrays(record->cases[i].input, record->cases[i].n_inputs);
        free_arrays(record->cases[i].output, record->cases[i].n_outputs);
    }
    free(record->cases);
    memset(record, 0, sizeof *record);
}
