/* The folder of fuzz.h in memory: for the fuzzer, which opens files a hundred thousand times a second.
 * The linker leads every call of mapped_file_open, mapped_file_close and lstat here (--wrap, fuzz.mk). A file that is
 * opened is a block of exactly its size on the heap: unlike a mapping, which goes on to the end of the page, it shows
 * AddressSanitizer each byte that is read behind the end. Files of other folders are copied in the same way. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/mapped_file.h"
#include "tests/fuzz/fuzz.h"

enum { MAX_FILES = 16, MAX_PATH = 80 };

static const char folder[] = "/in/memory";

static struct {
    char path[MAX_PATH]; /* empty: a free place */
    unsigned char *data;
    size_t size;
} files[MAX_FILES];

enum status __wrap_mapped_file_open(struct mapped_file *file, const char *path, struct error *error);
enum status __real_mapped_file_open(struct mapped_file *file, const char *path, struct error *error);
void __wrap_mapped_file_close(struct mapped_file *file);
void __real_mapped_file_close(struct mapped_file *file);
int __wrap_lstat(const char *path, struct stat *about);

/* The place of the file, or the first free one. */
static int find(const char *path)
{
    int i = 0;
    while (i < MAX_FILES && files[i].path[0] != '\0' && strcmp(files[i].path, path) != 0) {
        i++;
    }
    return i;
}

static bool exists(int i)
{
    return i < MAX_FILES && files[i].path[0] != '\0';
}

static struct mapped_file copy(const unsigned char *data, size_t size)
{
    unsigned char *block = size > 0 ? fuzz_alloc(size) : NULL;
    if (size > 0) {
        memcpy(block, data, size);
    }
    return (struct mapped_file){block, size};
}

enum status __wrap_mapped_file_open(struct mapped_file *file, const char *path, struct error *error)
{
    int i = find(path);
    *file = (struct mapped_file){NULL, 0};
    if (exists(i)) {
        *file = copy(files[i].data, files[i].size);
        return STATUS_OK;
    }
    if (strncmp(path, folder, strlen(folder)) == 0) {
        return error_set(error, STATUS_IO, "%s: %s", path, strerror(ENOENT));
    }
    struct mapped_file other;
    enum status status = __real_mapped_file_open(&other, path, error);
    if (status == STATUS_OK) {
        *file = copy(other.data, other.size);
        __real_mapped_file_close(&other);
    }
    return status;
}

void __wrap_mapped_file_close(struct mapped_file *file)
{
    free((void *)file->data);
    *file = (struct mapped_file){NULL, 0};
}

int __wrap_lstat(const char *path, struct stat *about)
{
    memset(about, 0, sizeof *about);
    errno = ENOENT;
    return exists(find(path)) ? 0 : -1;
}

const char *fuzz_folder(void)
{
    return folder;
}

const char *fuzz_write(const char *name, const void *data, size_t size)
{
    char path[MAX_PATH];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    int i = find(path);
    EXPECT(length > 0 && length < MAX_PATH && i < MAX_FILES);
    memcpy(files[i].path, path, sizeof path);
    free(files[i].data);
    files[i].data = fuzz_alloc(size);
    files[i].size = size;
    if (size > 0) {
        memcpy(files[i].data, data, size);
    }
    return files[i].path;
}
