#include "tests/support/files.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/test.h"

char *test_path(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = test_alloc(size);
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static void remove_contents(const char *folder)
{
    DIR *stream = opendir(folder);
    ck_assert_msg(stream != NULL, "%s: cannot be listed", folder);
    for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            char *path = test_path(folder, entry->d_name);
            ck_assert_msg(unlink(path) == 0 || rmdir(path) == 0, "%s: cannot be removed", path);
            free(path);
        }
    }
    closedir(stream);
}

char *fresh_folder(const char *name)
{
    const char *build = getenv("BUILD");
    char *parent = test_path(build != NULL ? build : "build", "test-files");
    char *folder = test_path(parent, name);
    mkdir(parent, 0777);
    mkdir(folder, 0777);
    remove_contents(folder);
    free(parent);
    return folder;
}

void write_bytes(const char *folder, const char *name, const void *bytes, size_t size)
{
    char *path = test_path(folder, name);
    FILE *file = fopen(path, "wb");
    ck_assert_msg(file != NULL, "%s: cannot be written", path);
    if (size > 0) {
        ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    }
    ck_assert_int_eq(fclose(file), 0);
    free(path);
}

void write_text(const char *folder, const char *name, const char *text)
{
    write_bytes(folder, name, text, strlen(text));
}

void write_safetensors(const char *folder, const char *name, const char *header, const void *data,
                       size_t size)
{
    size_t length = strlen(header);
    unsigned char *bytes = test_alloc(8 + length + 1 + size);
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)((uint64_t)length >> 8 * i);
    }
    snprintf((char *)bytes + 8, length + 1, "%s", header);
    if (size > 0) {
        memcpy(bytes + 8 + length, data, size);
    }
    write_bytes(folder, name, bytes, 8 + length + size);
    free(bytes);
}

char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s: cannot be read", path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = test_alloc(*size + 1);
    ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

void assert_error_at(const char *file, int line, enum status status, const struct error *error,
                     enum status expected_status, const char *folder, const char *message)
{
    const char *got = error->message;
    size_t length = strlen(folder);
    if (length > 0 && strncmp(got, folder, length) == 0 && got[length] == '/') {
        got += length + 1;
    }
    ck_assert_msg(status != STATUS_OK, "%s:%d: expected '%s', but there was no error", file, line, message);
    ck_assert_msg(strcmp(got, message) == 0, "%s:%d: got '%s', expected '%s'", file, line, got, message);
    ck_assert_msg(status == expected_status && error->status == expected_status,
                  "%s:%d: status %d, expected %d", file, line, (int)status, (int)expected_status);
}

void assert_ok_at(const char *file, int line, enum status status, const struct error *error)
{
    ck_assert_msg(status == STATUS_OK, "%s:%d: %s", file, line, error->message);
}
