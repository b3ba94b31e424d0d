#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */
#include "common/huge_pages.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

bool memory_use_read(struct memory_use *use)
{
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    int found = 0;
    *use = (struct memory_use){0, 0};
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        size_t kilobytes = 0;
        if (sscanf(line, "Rss: %zu kB", &kilobytes) == 1) {
            use->resident = kilobytes * 1024;
            found++;
        } else if (sscanf(line, "AnonHugePages: %zu kB", &kilobytes) == 1) {
            use->huge = kilobytes * 1024;
            found++;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return found == 2;
}

#ifdef MADV_HUGEPAGE

enum { HUGE_PAGE = 1 << 21, PIECE = 4 * HUGE_PAGE };

static const char setting[] = "/sys/kernel/mm/transparent_hugepage/enabled";

static bool switched_off(void)
{
    FILE *file = fopen(setting, "r");
    char line[128] = "";
    if (file != NULL) {
        if (fgets(line, sizeof line, file) == NULL) {
            line[0] = '\0';
        }
        fclose(file);
    }
    return strstr(line, "[never]") != NULL;
}

/* Copies size bytes and gives those of the old mapping back on the way. */
static void move_bytes(unsigned char *to, const struct mapped_file *file)
{
    for (size_t done = 0; done < file->size; done += PIECE) {
        size_t n = file->size - done < PIECE ? file->size - done : PIECE;
        memcpy(to + done, file->data + done, n);
        madvise((void *)(file->data + done), n, MADV_DONTNEED);
    }
}

enum status huge_pages_move(struct mapped_file *file, const char *path, struct error *error)
{
    if (switched_off()) {
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: found [never], expected [madvise] or [always] for pages of 2 MB", setting);
    }
    if (file->size == 0) {
        return STATUS_OK;
    }
    /* Room to begin at a multiple of 2 MB. What is not touched takes no memory. */
    size_t mapping_size = file->size + HUGE_PAGE;
    unsigned char *mapping =
        mmap(NULL, mapping_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) {
        return error_no_memory(error, path, mapping_size);
    }
    unsigned char *data = mapping + (HUGE_PAGE - (uintptr_t)mapping % HUGE_PAGE) % HUGE_PAGE;
    size_t in_huge_pages = file->size / HUGE_PAGE * HUGE_PAGE;
    if (in_huge_pages > 0 && madvise(data, in_huge_pages, MADV_HUGEPAGE) != 0) {
        enum status status =
            error_set(error, STATUS_IO, "%s: cannot have pages of 2 MB: %s", path, strerror(errno));
        munmap(mapping, mapping_size);
        return status;
    }
    move_bytes(data, file);
    if (mapped_file_check_size(file, path, error) != STATUS_OK) {
        munmap(mapping, mapping_size);
        return error->status;
    }
    struct mapped_file moved = {data, file->size, mapping, mapping_size, -1};
    mapped_file_close(file);
    *file = moved;
    return STATUS_OK;
}

#else

enum status huge_pages_move(struct mapped_file *file, const char *path, struct error *error)
{
    (void)file;
    return error_set(error, STATUS_UNSUPPORTED,
                     "%s: pages of 2 MB: found none on this system, expected Linux", path);
}

#endif
