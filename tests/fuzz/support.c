#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/status.h"
#include "tests/fuzz/fuzz.h"

const struct fuzz_target fuzz_targets[] = {
    {"safetensors_file", fuzz_safetensors_file, false, 1024},
    {"safetensors_header", fuzz_safetensors_header, true, 2048},
    {"shard_index", fuzz_shard_index, true, 1024},
    {"model_config", fuzz_model_config, true, 2048},
    {"generation_config", fuzz_generation_config, true, 1024},
    {"tokenizer_file", fuzz_tokenizer_file, true, 8192},
    {"tokenizer_encode", fuzz_tokenizer_encode, false, 256},
    {"tokenizer_decode", fuzz_tokenizer_decode, false, 256},
    {"tokenizer_config", fuzz_tokenizer_config, true, 2048},
    {"chat_template", fuzz_chat_template, false, 2048},
    {"chat", fuzz_chat, false, 256},
    {"json_scan", fuzz_json_scan, true, 256},
    {"nfc", fuzz_nfc, false, 256},
    {"options", fuzz_options, false, 256},
    {NULL, NULL, false, 0},
};

void fuzz_failed(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

enum { MAX_FILES = 16, MAX_PATH = 512 };

static char folder[MAX_PATH - 64];
static char paths[MAX_FILES][MAX_PATH];
static int n_paths;
static pid_t owner; /* a test that was forked leaves the folder to its parent */

static void remove_files(void)
{
    if (getpid() == owner) {
        for (int i = 0; i < n_paths; i++) {
            unlink(paths[i]);
        }
        rmdir(folder);
    }
}

const char *fuzz_folder(void)
{
    if (folder[0] == '\0') {
        const char *parent = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/fuzz-XXXXXX", parent != NULL ? parent : "/tmp");
        EXPECT(mkdtemp(folder) != NULL);
        owner = getpid();
        atexit(remove_files);
    }
    return folder;
}

const char *fuzz_write(const char *name, const void *data, size_t size)
{
    char path[MAX_PATH];
    int i = 0;
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    while (i < n_paths && strcmp(path, paths[i]) != 0) {
        i++;
    }
    EXPECT(i < MAX_FILES);
    if (i == n_paths) {
        memcpy(paths[n_paths++], path, sizeof path);
    }
    FILE *file = fopen(path, "wb");
    EXPECT(file != NULL);
    EXPECT(size == 0 || fwrite(data, 1, size, file) == size);
    EXPECT(fclose(file) == 0);
    return paths[i];
}

void fuzz_check_error(const struct error *error)
{
    size_t length = strlen(error->message);
    EXPECT(error->status != STATUS_OK);
    EXPECT(length > 0 && length < sizeof error->message);
    EXPECT(strpbrk(error->message, "\n\r\t\033") == NULL);
}

json_t *fuzz_json(const void *text, size_t size)
{
    const size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY;
    return size == 0 || memchr(text, '\0', size) != NULL ? NULL : json_loadb(text, size, flags, NULL);
}

void *fuzz_alloc(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    EXPECT(memory != NULL);
    return memory;
}
