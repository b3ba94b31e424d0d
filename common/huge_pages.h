/* huge_pages.h: weights in pages of 2 MB instead of 4 kB.
 * Introduced in chapter 6.
 *
 * Every page that is read needs its entry in the processor's table of addresses. A decode step reads 1 GB: 250 000
 * entries of 4 kB, or 500 of 2 MB. A mapped file comes in pages of 4 kB; memory of our own may be larger ones, so the
 * file is copied, once, piece by piece: what has been copied is given back before the next piece, and both are never in
 * memory at the same time. Linux only (transparent huge pages, Documentation/admin-guide/mm/transhuge.rst). */
#ifndef COMMON_HUGE_PAGES_H
#define COMMON_HUGE_PAGES_H

#include <stdbool.h>

#include "common/mapped_file.h"

/* Replaces the mapping by the copy; file->data moves. The last, incomplete 2 MB stay in small pages. Whether the system
 * had large pages to give, memory_use says: it may have found too few of them.
 * errors: STATUS_UNSUPPORTED: not Linux, or switched off ("never"); STATUS_NO_MEMORY; STATUS_IO, also when
 * the file became shorter meanwhile. The mapping is then what it was. path is for the message. */
enum status huge_pages_move(struct mapped_file *file, const char *path, struct error *error);

/* Bytes of this process that are in memory now, and how many of them in pages of 2 MB. False: the system does not say. */
struct memory_use {
    size_t resident, huge;
};
bool memory_use_read(struct memory_use *use);

#endif
