#include "common/utf8.h"

#include <stdlib.h>
#include <string.h>

#include "common/require.h"

/* How many bytes follow a first byte, and the range of the second one: it excludes overlong forms, surrogates and what
 * lies above U+10FFFF. All later bytes are 80..BF. */
struct lead {
    int n_more;
    unsigned char low, high;
};

static struct lead lead_of(unsigned char byte)
{
    if (byte < 0x80) {
        return (struct lead){0, 0, 0};
    }
    if (byte < 0xc2 || byte > 0xf4) {
        return (struct lead){-1, 0, 0};
    }
    if (byte < 0xe0) {
        return (struct lead){1, 0x80, 0xbf};
    }
    if (byte < 0xf0) {
        return (struct lead){2, byte == 0xe0 ? 0xa0 : 0x80, byte == 0xed ? 0x9f : 0xbf};
    }
    return (struct lead){3, byte == 0xf0 ? 0x90 : 0x80, byte == 0xf4 ? 0x8f : 0xbf};
}

int utf8_read(const char *text, size_t size, int32_t *code_point)
{
    REQUIRE(size >= 1);
    unsigned char first = (unsigned char)text[0];
    struct lead lead = lead_of(first);
    if (lead.n_more < 0) {
        *code_point = UTF8_INVALID;
        return 1;
    }
    /* 0xxxxxxx, 110xxxxx, 1110xxxx, 11110xxx: what the first byte contributes */
    int32_t value = lead.n_more == 0 ? first : first & (0x3f >> lead.n_more);
    for (int i = 1; i <= lead.n_more; i++) {
        if ((size_t)i == size) {
            *code_point = UTF8_UNFINISHED;
            return i;
        }
        unsigned char byte = (unsigned char)text[i];
        if (byte < (i == 1 ? lead.low : 0x80) || byte > (i == 1 ? lead.high : 0xbf)) {
            *code_point = UTF8_INVALID;
            return i;
        }
        value = value << 6 | (byte & 0x3f);
    }
    *code_point = value;
    return lead.n_more + 1;
}

int utf8_write(char *out, int32_t c)
{
    REQUIRE(c >= 0 && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff));
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    int n_more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char first[4] = {0, 0xc0, 0xe0, 0xf0};
    out[0] = (char)(first[n_more] | c >> 6 * n_more);
    for (int i = 1; i <= n_more; i++) {
        out[i] = (char)(0x80 | (c >> 6 * (n_more - i) & 0x3f));
    }
    return n_more + 1;
}

bool utf8_is_valid(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        if ((unsigned char)text[at] < 0x80) {
            at++;
            continue;
        }
        int32_t code_point;
        at += (size_t)utf8_read(text + at, size - at, &code_point);
        if (code_point < 0) {
            return false;
        }
    }
    return true;
}

enum status utf8_repair(char **out, size_t *out_size, const char *text, size_t size, struct error *error)
{
    size_t bytes = checked_product(size, 3); /* a single bad byte becomes the three of U+FFFD */
    char *copy = malloc(bytes > 0 ? bytes : 1);
    if (copy == NULL) {
        return error_no_memory(error, "text", bytes);
    }
    size_t n = 0;
    for (size_t at = 0; at < size;) {
        int32_t code_point;
        size_t length = (size_t)utf8_read(text + at, size - at, &code_point);
        if (code_point < 0) {
            n += (size_t)utf8_write(copy + n, UTF8_REPLACEMENT);
        } else {
            memcpy(copy + n, text + at, length);
            n += length;
        }
        at += length;
    }
    *out = copy;
    *out_size = n;
    return STATUS_OK;
}
