/* The folder of fuzz.h as a real one: for make test, where the files go through the system as a user's do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

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
