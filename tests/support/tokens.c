#include "tests/support/tokens.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/test.h"

static const char *build_folder(void)
{
    const char *build = getenv("BUILD");
    return build != NULL && build[0] != '\0' ? build : "build";
}

const char *qwen_tokenizer_folder(void)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/qwen2.5-tokenizer", build_folder());
    return path;
}

static void print_ids(char *out, size_t size, const int32_t *id, size_t n)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < n && used + 12 < size; i++) {
        used += (size_t)snprintf(out + used, size - used, "%s%d", i > 0 ? "," : "", (int)id[i]);
    }
}

void assert_ids_at(const char *file, int line, const char *text, const int32_t *got, size_t n_got,
                   const int32_t *expected, size_t n_expected)
{
    if (n_got == n_expected && (n_got == 0 || memcmp(got, expected, n_got * sizeof *got) == 0)) {
        return;
    }
    char got_text[600], expected_text[600];
    print_ids(got_text, sizeof got_text, got, n_got);
    print_ids(expected_text, sizeof expected_text, expected, n_expected);
    ck_abort_msg("%s:%d: \"%.200s\": got %zu ids [%s], expected %zu [%s]", file, line, text, n_got, got_text,
                 n_expected, expected_text);
}

char *read_text_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    ck_assert_int_ge(length, 0);
    rewind(file);
    char *text = test_alloc((size_t)length + 1);
    ck_assert_uint_eq(fread(text, 1, (size_t)length, file), (size_t)length);
    fclose(file);
    text[length] = '\0';
    *size = (size_t)length;
    return text;
}

void write_text_file(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
    ck_assert_uint_eq(fwrite(text, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

const char *test_folder(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/tests/%s", build_folder(), name);
    ck_assert_msg(mkdir(path, 0777) == 0 || errno == EEXIST, "%s: %s", path, strerror(errno));
    return path;
}
