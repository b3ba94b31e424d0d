#include "common/byte_level.h"

#include "common/utf8.h"

static int is_printable(int byte)
{
    return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}

void byte_level_init(struct byte_level *map)
{
    for (int character = 0; character < BYTE_LEVEL_CHARACTERS; character++) {
        map->byte_of[character] = -1;
    }
    int n_others = 0;
    for (int byte = 0; byte < 256; byte++) {
        int character = is_printable(byte) ? byte : 0x100 + n_others++;
        map->byte_of[character] = (int16_t)byte;
    }
}

long byte_level_decode(const struct byte_level *map, char *out, const char *spelling, size_t size)
{
    long n = 0;
    for (size_t at = 0; at < size;) {
        int32_t character = (unsigned char)spelling[at];
        at += character < 0x80 ? 1 : (size_t)utf8_read(spelling + at, size - at, &character);
        if (character < 0 || character >= BYTE_LEVEL_CHARACTERS || map->byte_of[character] < 0) {
            return -1;
        }
        out[n++] = (char)map->byte_of[character];
    }
    return n;
}
