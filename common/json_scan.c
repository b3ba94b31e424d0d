#include "common/json_scan.h"

#include <string.h>

#include "common/utf8.h"

static void skip_space(struct json_scan *scan)
{
    while (scan->at < scan->end && strchr(" \t\r\n", *scan->at) != NULL && *scan->at != '\0') {
        scan->at++;
    }
}

bool json_scan_take(struct json_scan *scan, char character)
{
    skip_space(scan);
    if (scan->at == scan->end || *scan->at != character) {
        return false;
    }
    scan->at++;
    return true;
}

/* Four hexadecimal digits; -1 when they are not. */
static int32_t hex4(const char *at, const char *end)
{
    int32_t value = 0;
    for (int i = 0; i < 4; i++, at++) {
        char lower = at < end ? (char)(*at | 0x20) : '\0';
        if (at < end && *at >= '0' && *at <= '9') {
            value = value * 16 + (*at - '0');
        } else if (lower >= 'a' && lower <= 'f') {
            value = value * 16 + (lower - 'a' + 10);
        } else {
            return -1;
        }
    }
    return value;
}

/* The code point of the \u escape at `at` (its first digit), a pair of surrogates included; *used gets its bytes. */
static int32_t unicode_escape(const char *at, const char *end, int *used)
{
    int32_t high = hex4(at, end);
    *used = 4;
    if (high < 0xd800 || high > 0xdfff) {
        return high;
    }
    if (high > 0xdbff || end - at < 10 || at[4] != '\\' || at[5] != 'u') {
        return -1;
    }
    int32_t low = hex4(at + 6, end);
    *used = 10;
    return low >= 0xdc00 && low <= 0xdfff ? 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00) : -1;
}

/* What follows a backslash; returns the bytes written, 0 when it is no escape. */
static size_t escape(struct json_scan *scan, char *out)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (scan->at == scan->end || *scan->at == '\0') {
        return 0;
    }
    char letter = *scan->at++;
    const char *found = strchr(letters, letter);
    if (found != NULL) {
        *out = meanings[found - letters];
        return 1;
    }
    int used = 0;
    int32_t code_point = letter == 'u' ? unicode_escape(scan->at, scan->end, &used) : -1;
    if (code_point < 0) {
        return 0;
    }
    scan->at += used;
    return (size_t)utf8_write(out, code_point);
}

bool json_scan_string(struct json_scan *scan, char *out, size_t *length)
{
    if (!json_scan_take(scan, '"')) {
        return false;
    }
    size_t n = 0;
    while (scan->at < scan->end) {
        unsigned char byte = (unsigned char)*scan->at;
        if (byte == '"') {
            scan->at++;
            *length = n;
            return true;
        }
        if (byte < 0x20) {
            return false;
        }
        if (byte == '\\') {
            scan->at++;
            size_t written = escape(scan, out + n);
            if (written == 0) {
                return false;
            }
            n += written;
            continue;
        }
        int32_t code_point = byte;
        size_t used =
            byte < 0x80 ? 1 : (size_t)utf8_read(scan->at, (size_t)(scan->end - scan->at), &code_point);
        if (code_point < 0) {
            return false;
        }
        for (size_t i = 0; i < used; i++) {
            out[n++] = *scan->at++;
        }
    }
    return false;
}

bool json_scan_number(struct json_scan *scan, int64_t *number)
{
    skip_space(scan);
    const char *start = scan->at;
    int64_t value = 0;
    while (scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9' && scan->at - start < 15) {
        value = value * 10 + (*scan->at++ - '0');
    }
    *number = value;
    bool ends = scan->at == scan->end || strchr("0123456789.eE+-", *scan->at) == NULL || *scan->at == '\0';
    return scan->at > start && ends && (*start != '0' || scan->at == start + 1);
}

/* A string by its quotes only. */
static bool skip_string(struct json_scan *scan)
{
    for (scan->at++; scan->at < scan->end; scan->at++) {
        if (*scan->at == '"') {
            scan->at++;
            return true;
        }
        if (*scan->at == '\\' && scan->at + 1 < scan->end) {
            scan->at++;
        }
    }
    return false;
}

bool json_scan_skip(struct json_scan *scan)
{
    skip_space(scan);
    const char *start = scan->at;
    size_t depth = 0;
    while (scan->at < scan->end) {
        switch (*scan->at) {
        case '"':
            if (!skip_string(scan)) {
                return false;
            }
            if (depth == 0) {
                return true;
            }
            continue;
        case '{':
        case '[': depth++; break;
        case '}':
        case ']':
            if (depth == 0) {
                return scan->at > start; /* after a number or a word */
            }
            if (--depth == 0) {
                scan->at++;
                return true;
            }
            break;
        case ',':
            if (depth == 0) {
                return scan->at > start;
            }
            break;
        default: break;
        }
        scan->at++;
    }
    return depth == 0 && scan->at > start;
}

bool json_scan_member(struct json_scan *scan, const char *name)
{
    size_t length = strlen(name);
    if (!json_scan_take(scan, '{')) {
        return false;
    }
    do {
        skip_space(scan);
        const char *key = scan->at;
        if (key == scan->end || *key != '"' || !skip_string(scan)) {
            return false;
        }
        bool same = (size_t)(scan->at - key) == length + 2 && memcmp(key + 1, name, length) == 0;
        if (!json_scan_take(scan, ':')) {
            return false;
        }
        if (same) {
            skip_space(scan);
            return true;
        }
    } while (json_scan_skip(scan) && json_scan_take(scan, ','));
    return false;
}
