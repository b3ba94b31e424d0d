/* What common/safetensors.h finds in the files that standard input names, one a line, for compare.py:
 *     ok | refused              one line a file
 *     NAME TYPE SHAPE BEGIN END one line a tensor, by name; NAME in hexadecimal, SHAPE with commas or "-", offsets into
 *                               the data
 *     .                         the file's end */
#include <stdio.h>
#include <string.h>

#include "common/safetensors.h"

static void print_entry(const struct safetensors_entry *entry, const unsigned char *data)
{
    for (const char *at = entry->name; *at != '\0'; at++) {
        printf("%02x", (unsigned)(unsigned char)*at);
    }
    printf(" %s ", entry->dtype);
    for (int i = 0; i < entry->n_dims; i++) {
        printf(i > 0 ? ",%zu" : "%zu", entry->shape[i]);
    }
    size_t begin = (size_t)(entry->data - data);
    printf("%s %zu %zu\n", entry->n_dims == 0 ? "-" : "", begin, begin + entry->size);
}

int main(void)
{
    char path[4096];
    while (fgets(path, sizeof path, stdin) != NULL) {
        struct safetensors tensors;
        struct error error = {STATUS_OK, ""};
        path[strcspn(path, "\n")] = '\0';
        enum status status = safetensors_open(&tensors, path, &error);
        puts(status == STATUS_OK ? "ok" : "refused");
        if (status == STATUS_OK) {
            const unsigned char *file = tensors.files[0].data;
            size_t length = 0;
            memcpy(&length, file, sizeof length);
            for (int i = 0; i < tensors.n_entries; i++) {
                print_entry(&tensors.entries[i], file + sizeof length + length);
            }
            safetensors_close(&tensors);
        }
        puts(".");
    }
    return 0;
}
