#define _DEFAULT_SOURCE /* MADV_DONTNEED */
#include "tests/faults/fail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

static long made, failing; /* requests so far, the one that fails */
static bool counting, failed;
static const char *what = "";
static long held;

static bool fails(const char *name)
{
    if (!counting || made++ != failing) {
        return false;
    }
    failed = true;
    what = name;
    errno = ENOMEM;
    return true;
}

void *__real_malloc(size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__real_mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset);
int __real_madvise(void *address, size_t length, int advice);
int __real_munmap(void *address, size_t length);
int __real_open(const char *path, int flags, ...);
int __real_close(int descriptor);
int __real_fstat(int descriptor, struct stat *about);
ssize_t __real_getline(char **line, size_t *capacity, FILE *file);
pcre2_code *__real_pcre2_compile_8(PCRE2_SPTR pattern, PCRE2_SIZE length, uint32_t options, int *code,
                                   PCRE2_SIZE *offset, pcre2_compile_context *context);
pcre2_match_data *__real_pcre2_match_data_create_8(uint32_t size, pcre2_general_context *context);
pcre2_match_context *__real_pcre2_match_context_create_8(pcre2_general_context *context);

void *__wrap_malloc(size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);
void *__wrap_mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset);
int __wrap_madvise(void *address, size_t length, int advice);
int __wrap_munmap(void *address, size_t length);
int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int descriptor);
int __wrap_fstat(int descriptor, struct stat *about);
ssize_t __wrap_getline(char **line, size_t *capacity, FILE *file);
pcre2_code *__wrap_pcre2_compile_8(PCRE2_SPTR pattern, PCRE2_SIZE length, uint32_t options, int *code,
                                   PCRE2_SIZE *offset, pcre2_compile_context *context);
pcre2_match_data *__wrap_pcre2_match_data_create_8(uint32_t size, pcre2_general_context *context);
pcre2_match_context *__wrap_pcre2_match_context_create_8(pcre2_general_context *context);

static void *taken(void *memory)
{
    held += memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return fails("malloc") ? NULL : taken(__real_malloc(size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails("aligned_alloc") ? NULL : taken(__real_aligned_alloc(alignment, size));
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails("calloc") ? NULL : taken(__real_calloc(n, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
    if (fails("realloc")) {
        return NULL;
    }
    void *moved = __real_realloc(memory, size);
    return memory == NULL ? taken(moved) : moved;
}

void __wrap_free(void *memory)
{
    held -= memory != NULL;
    __real_free(memory);
}

void *__wrap_mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset)
{
    if (fails("mmap")) {
        return MAP_FAILED;
    }
    void *mapped = __real_mmap(address, length, protection, flags, descriptor, offset);
    held += mapped != MAP_FAILED;
    return mapped;
}

/* Giving memory back early (MADV_DONTNEED) may fail without harm: not a request. */
int __wrap_madvise(void *address, size_t length, int advice)
{
    if (advice != MADV_DONTNEED && fails("madvise")) {
        errno = EINVAL;
        return -1;
    }
    return __real_madvise(address, length, advice);
}

int __wrap_munmap(void *address, size_t length)
{
    held--;
    return __real_munmap(address, length);
}

/* The project opens files for reading only: no third argument. */
int __wrap_open(const char *path, int flags, ...)
{
    if (fails("open")) {
        errno = EMFILE;
        return -1;
    }
    int descriptor = __real_open(path, flags);
    held += descriptor >= 0;
    return descriptor;
}

int __wrap_close(int descriptor)
{
    held--;
    return __real_close(descriptor);
}

int __wrap_fstat(int descriptor, struct stat *about)
{
    if (fails("fstat")) {
        errno = EIO;
        return -1;
    }
    return __real_fstat(descriptor, about);
}

ssize_t __wrap_getline(char **line, size_t *capacity, FILE *file)
{
    bool had = *line != NULL;
    if (fails("getline")) {
        return -1;
    }
    ssize_t n = __real_getline(line, capacity, file);
    held += !had && *line != NULL; /* the C library's own malloc */
    return n;
}

pcre2_code *__wrap_pcre2_compile_8(PCRE2_SPTR pattern, PCRE2_SIZE length, uint32_t options, int *code,
                                   PCRE2_SIZE *offset, pcre2_compile_context *context)
{
    if (fails("pcre2_compile")) {
        *code = PCRE2_ERROR_NOMEMORY;
        return NULL;
    }
    return __real_pcre2_compile_8(pattern, length, options, code, offset, context);
}

pcre2_match_data *__wrap_pcre2_match_data_create_8(uint32_t size, pcre2_general_context *context)
{
    return fails("pcre2_match_data_create") ? NULL : __real_pcre2_match_data_create_8(size, context);
}

pcre2_match_context *__wrap_pcre2_match_context_create_8(pcre2_general_context *context)
{
    return fails("pcre2_match_context_create") ? NULL : __real_pcre2_match_context_create_8(context);
}

void fail_begin(long n)
{
    made = 0;
    failing = n;
    failed = false;
    counting = true;
}

bool fail_end(void)
{
    counting = false;
    return failed;
}

long fail_made(void)
{
    return made;
}

const char *fail_what(void)
{
    return what;
}

long fail_held(void)
{
    return held;
}
