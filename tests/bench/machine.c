#include "tests/bench/machine.h"

#include <stdio.h>
#include <string.h>

/* The number of kB after "key" in a file of lines "key   123 kB", in bytes. */
static size_t field(const char *path, const char *key)
{
    FILE *file = fopen(path, "r");
    size_t kilobytes = 0;
    if (file == NULL) {
        return 0;
    }
    char line[256], name[64];
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%63s %zu", name, &kilobytes) == 2 && strcmp(name, key) == 0) {
            break;
        }
        kilobytes = 0;
    }
    fclose(file);
    return kilobytes << 10;
}

size_t machine_l3_bytes(void)
{
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r");
    size_t size = 0;
    char unit = ' ';
    if (file == NULL) {
        return 0;
    }
    if (fscanf(file, "%zu%c", &size, &unit) != 2) {
        size = 0;
    }
    fclose(file);
    return unit == 'K' ? size << 10 : unit == 'M' ? size << 20 : size;
}

size_t machine_free_bytes(void)
{
    return field("/proc/meminfo", "MemAvailable:");
}

size_t machine_huge_page_bytes(void)
{
    return field("/proc/self/smaps_rollup", "AnonHugePages:");
}
