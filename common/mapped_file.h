/* mapped_file.h: a file's bytes as memory, read-only, without copying it.
 * Introduced in chapter 6. */
#ifndef COMMON_MAPPED_FILE_H
#define COMMON_MAPPED_FILE_H

#include <stddef.h>

#include "common/status.h"

struct mapped_file {
    const unsigned char *data; /* NULL for an empty file */
    size_t size;
};

/* Maps a regular file. errors: STATUS_IO, with the system's reason (a folder, a FIFO and other things that are not
 * regular files included). */
enum status mapped_file_open(struct mapped_file *file, const char *path, struct error *error);
void mapped_file_close(struct mapped_file *file); /* also of a zeroed struct */

#endif
