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
    int descriptor; /* while mapping is not NULL: the open file, or -1 for a copy */
};

/* Maps a regular file. errors: STATUS_IO, with the system's reason (a folder, a FIFO and other things that are not
 * regular files included). */
enum status mapped_file_open(struct mapped_file *file, const char *path, struct error *error);
void mapped_file_close(struct mapped_file *file); /* also of a zeroed struct */

/* What another program cuts off a mapped file is lost in two ways, and each has its remedy.
 *
 * Pages that are gone: reading them raises SIGBUS, anywhere in the forward pass. After mapped_file_report_shrinking that
 * ends the program with message (one line, without the newline; longer text is cut) on stderr and exit code 1 instead
 * of a bare signal. For main(), before loading; the message is the one piece of state that a signal handler cannot do
 * without.
 *
 * The rest of the page in which the file now ends: its bytes read as zeros, without any sign. mapped_file_check_size,
 * after the bytes were used and before anyone believes what came of them, asks for the file's size (its descriptor stays
 * open for that, as the path may by now lead to another file). errors: STATUS_IO: shorter than it was. path is for the
 * message. A file that keeps its size while its bytes change is not noticed. */
enum status mapped_file_check_size(const struct mapped_file *file, const char *path, struct error *error);
void mapped_file_report_shrinking(const char *message);

/* "<folder>/<name>", the caller frees. errors: STATUS_NO_MEMORY. */
enum status path_in_folder(char **path, const char *folder, const char *name, struct error *error);

#endif
