#include "common/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status map_descriptor(struct mapped_file *file, int descriptor, const char *path,
                                  struct error *error)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0) {
        return error_set(error, STATUS_IO, "%s: %s", path, strerror(errno));
    }
    if (!S_ISREG(about.st_mode)) {
        return error_set(error, STATUS_IO, "%s: expected a regular file, found %s", path,
                         S_ISDIR(about.st_mode)    ? "a folder"
                         : S_ISFIFO(about.st_mode) ? "a pipe"
                                                   : "a device");
    }
    if ((uintmax_t)about.st_size > SIZE_MAX / 2) {
        return error_set(error, STATUS_IO, "%s: %jd bytes do not fit the address space", path,
                         (intmax_t)about.st_size);
    }
    size_t size = (size_t)about.st_size;
    if (size == 0) {
        return STATUS_OK; /* mmap refuses a length of 0 */
    }
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (data == MAP_FAILED) {
        return error_set(error, STATUS_IO, "%s: cannot map %zu bytes: %s", path, size, strerror(errno));
    }
    *file = (struct mapped_file){data, size, data, size, descriptor};
    return STATUS_OK;
}

enum status mapped_file_open(struct mapped_file *file, const char *path, struct error *error)
{
    *file = (struct mapped_file){.data = NULL};
    /* O_NONBLOCK: opening a FIFO that nobody writes to would wait for ever. */
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return error_set(error, STATUS_IO, "%s: %s", path, strerror(errno));
    }
    enum status status = map_descriptor(file, descriptor, path, error);
    if (file->mapping == NULL) { /* refused, or empty */
        close(descriptor);
    }
    return status;
}

void mapped_file_close(struct mapped_file *file)
{
    if (file->mapping != NULL) {
        munmap(file->mapping, file->mapping_size);
        if (file->descriptor >= 0) {
            close(file->descriptor);
        }
    }
    *file = (struct mapped_file){.data = NULL};
}

enum status mapped_file_check_size(const struct mapped_file *file, const char *path, struct error *error)
{
    struct stat about;
    if (file->mapping == NULL || file->descriptor < 0) {
        return STATUS_OK;
    }
    if (fstat(file->descriptor, &about) != 0) {
        return error_set(error, STATUS_IO, "%s: %s", path, strerror(errno));
    }
    if ((uintmax_t)about.st_size < file->size) {
        return error_set(error, STATUS_IO,
                         "%s: became shorter while it was in use: expected %zu bytes, found %jd", path,
                         file->size, (intmax_t)about.st_size);
    }
    return STATUS_OK;
}

static char shrinking_message[512];

static void report_and_exit(int signal_number)
{
    (void)signal_number;
    ssize_t written = write(STDERR_FILENO, shrinking_message, strlen(shrinking_message));
    (void)written; /* nobody is left to tell */
    _exit(EXIT_FAILURE);
}

void mapped_file_report_shrinking(const char *message)
{
    snprintf(shrinking_message, sizeof shrinking_message, "%.*s\n", (int)sizeof shrinking_message - 2,
             message);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = report_and_exit;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

enum status path_in_folder(char **path, const char *folder, const char *name, struct error *error)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    *path = malloc(size);
    if (*path == NULL) {
        return error_no_memory(error, name, size);
    }
    snprintf(*path, size, "%s/%s", folder, name);
    return STATUS_OK;
}
