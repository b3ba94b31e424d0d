/* mapped_file.h: a file's bytes as memory, read-only, without copying it.
 * Introduced in chapter 6. */
#ifndef COMMON_MAPPED_FILE_H
#define COMMON_MAPPED_FILE_H

#include <stddef.h>

#include "common/status.h"

struct mapped_file {
    const unsigned char *data; /* NULL for an empty file */
    size_t size;
    void *
        mapping; /* where the file is mapped, or its copy (huge_pages.h); what mapped_file_close gives back */
    size_t mapping_size;
};

/* Maps a regular file. errors: STATUS_IO, with the system's reason (a folder, a FIFO and other things that are not
 * regular files included). */
enum status mapped_file_open(struct mapped_file *file, const char *path, struct error *error);
void mapped_file_close(struct mapped_file *file); /* also of a zeroed struct */

/* A mapped file that another program cuts short leaves no bytes behind the pages that are gone: reading them raises
 * SIGBUS, anywhere in the forward pass. After this call that ends the program with message (one line, without the
 * newline; longer text is cut) on stderr and exit code 1 instead of a bare signal. For main(), after loading; the
 * message is the one piece of state that a signal handler cannot do without. */
void mapped_file_report_shrinking(const char *message);

/* "<folder>/<name>", the caller frees. errors: STATUS_NO_MEMORY. */
enum status path_in_folder(char **path, const char *folder, const char *name, struct error *error);

#endif
