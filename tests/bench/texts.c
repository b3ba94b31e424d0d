#include "tests/bench/texts.h"

#include <glob.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "common/utf8.h"
#include "tests/bench/roofs.h"

/* ---- A text that grows ---- */

static enum status append(struct text *text, const char *bytes, size_t n, struct error *error)
{
    if (n > text->capacity - text->size) {
        size_t capacity = 2 * (text->size + n);
        char *grown = realloc(text->bytes, capacity);
        if (grown == NULL) {
            return error_no_memory(error, "text", capacity);
        }
        text->bytes = grown;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->size, bytes, n);
    text->size += n;
    return STATUS_OK;
}

static enum status append_file(struct text *text, const char *path, struct error *error)
{
    FILE *file = fopen(path, "rb");
    enum status status = STATUS_OK;
    char bytes[4096];
    size_t n;
    if (file == NULL) {
        return error_set(error, STATUS_IO, "%s: cannot read", path);
    }
    while (status == STATUS_OK && (n = fread(bytes, 1, sizeof bytes, file)) > 0) {
        status = append(text, bytes, n, error);
    }
    fclose(file);
    return status;
}

static enum status append_files(struct text *text, const char *pattern, struct error *error)
{
    glob_t found;
    enum status status = STATUS_OK;
    if (glob(pattern, 0, NULL, &found) != 0) {
        return error_set(error, STATUS_IO, "%s: no such file", pattern);
    }
    for (size_t i = 0; i < found.gl_pathc && status == STATUS_OK; i++) {
        status = append_file(text, found.gl_pathv[i], error);
    }
    globfree(&found);
    return status;
}

/* ---- Chinese ---- */

enum { CHINESE_BYTES = 1 << 20, FIRST_IDEOGRAPH = 0x4e00, LAST_IDEOGRAPH = 0x9fa5 };

static bool is_chinese(const char *bytes, size_t n)
{
    size_t at = 0;
    int32_t code_point = 0;
    bool chinese = n > 0;
    while (at < n && chinese) {
        at += (size_t)utf8_read(bytes + at, n - at, &code_point);
        chinese = code_point >= FIRST_IDEOGRAPH && code_point <= LAST_IDEOGRAPH;
    }
    return chinese;
}

static enum status append_rare(struct text *text, struct rng *rng, struct error *error)
{
    char bytes[4];
    int n = utf8_write(bytes, FIRST_IDEOGRAPH + rng_below(rng, LAST_IDEOGRAPH - FIRST_IDEOGRAPH + 1));
    return append(text, bytes, (size_t)n, error);
}

/* The token of frequency rank r is drawn as often as 1 / (r + 20), the law of Zipf and Mandelbrot: the logarithm of
 * r + 20 is evenly distributed. The vocabulary's order is that of the merges, about that of frequency. */
static enum status append_chinese(struct text *text, const struct tokenizer *tokenizer, struct error *error)
{
    enum { OFFSET = 20 };
    int32_t *id = malloc((size_t)tokenizer_size(tokenizer) * sizeof *id);
    enum status status = STATUS_OK;
    struct rng rng;
    size_t length;
    int n_ids = 0;
    if (id == NULL) {
        return error_no_memory(error, "text", (size_t)tokenizer_size(tokenizer) * sizeof *id);
    }
    for (int32_t i = 0; i < tokenizer_size(tokenizer); i++) {
        const char *piece = tokenizer_piece(tokenizer, i, &length);
        if (is_chinese(piece, length)) {
            id[n_ids++] = i;
        }
    }
    rng_init(&rng, 5);
    while (text->size < CHINESE_BYTES && n_ids > 0 && status == STATUS_OK) {
        double rank = OFFSET * (pow((n_ids + OFFSET) / (double)OFFSET, rng_uniform(&rng)) - 1);
        const char *piece = tokenizer_piece(tokenizer, id[rank < n_ids ? (int)rank : n_ids - 1], &length);
        status = append(text, piece, length, error);
        if (status == STATUS_OK && rng_below(&rng, 20) == 0) {
            status = append_rare(text, &rng, error);
        }
        if (status == STATUS_OK && rng_below(&rng, 10) == 0) {
            const char *mark = rng_below(&rng, 3) == 0 ? "。\n" : "，";
            status = append(text, mark, strlen(mark), error);
        }
    }
    free(id);
    return status;
}

enum status texts_init(struct texts *texts, const char *folder, struct error *error)
{
    memset(texts, 0, sizeof *texts);
    texts->folder = folder;
    struct text *text = texts->text;
    enum status status = tokenizer_load(&texts->tokenizer, folder, error);
    if (status == STATUS_OK) {
        status = append_files(&text[TEXT_ENGLISH], "chapters/*/README.md", error);
    }
    if (status == STATUS_OK) {
        status = append_files(&text[TEXT_ENGLISH], "chapters/06-qwen2.5/tiny-stories/held-out.txt", error);
    }
    if (status == STATUS_OK) {
        status = append_files(&text[TEXT_CODE], "common/*.[ch]", error);
    }
    return status == STATUS_OK ? append_chinese(&text[TEXT_CHINESE], texts->tokenizer, error) : status;
}

void texts_free(struct texts *texts)
{
    tokenizer_free(texts->tokenizer);
    for (int i = 0; i < N_TEXTS; i++) {
        free(texts->text[i].bytes);
    }
    token_ids_free(&texts->ids);
    memset(texts, 0, sizeof *texts);
}

/* ---- Measured ---- */

static double encode(struct texts *texts, const char *bytes, size_t n)
{
    struct error error;
    texts->ids.n = 0;
    double start = now();
    enum status status = tokenizer_encode(texts->tokenizer, bytes, n, true, &texts->ids, &error);
    return status == STATUS_OK ? now() - start : NAN;
}

double texts_encode(struct texts *texts, enum text_kind kind)
{
    return encode(texts, texts->text[kind].bytes, texts->text[kind].size);
}

double texts_load(const struct texts *texts)
{
    struct tokenizer *tokenizer;
    struct error error;
    double start = now();
    enum status status = tokenizer_load(&tokenizer, texts->folder, &error);
    double seconds = now() - start;
    tokenizer_free(tokenizer);
    return status == STATUS_OK ? seconds : NAN;
}

double texts_parse(const struct texts *texts)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/tokenizer.json", texts->folder);
    double start = now();
    json_t *root = json_load_file(path, 0, NULL);
    double seconds = now() - start;
    bool parsed = root != NULL;
    json_decref(root);
    return parsed ? seconds : NAN;
}

/* ---- One long pre-token ---- */

static const char *const units[] = {"A", "a",  "_", " ",         "\n",       " \n", "5",
                                    "'", "中", "é", "e\xcc\x81", "\xcc\x81", "\xff"};

const char *texts_run_unit(int i)
{
    return i < (int)(sizeof units / sizeof *units) ? units[i] : NULL;
}

double texts_encode_run(struct texts *texts, int i, size_t n_bytes)
{
    size_t length = strlen(units[i]);
    char *bytes = malloc(n_bytes);
    if (bytes == NULL) {
        return NAN;
    }
    for (size_t at = 0; at < n_bytes; at++) {
        bytes[at] = units[i][at % length];
    }
    double seconds = encode(texts, bytes, n_bytes / length * length);
    free(bytes);
    return seconds;
}
