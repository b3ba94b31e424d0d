#include "quote.h"

#include <stdbool.h>
#include <string.h>

enum { PRINTED_BYTES = 600 };

void quote_output(FILE *out, const char *bytes, size_t size, enum language language)
{
    if (size == 0) {
        return;
    }
    fprintf(out, "\n  %s\n", text(language, TEXT_PRINTED));
    bool start = true;
    size_t n = size < PRINTED_BYTES ? size : PRINTED_BYTES;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (start) {
            fputs("  | ", out);
        }
        start = c == '\n';
        fputc(start || (c >= 0x20 && c != 0x7f) ? c : '?', out);
    }
    fputs(start ? "" : "\n", out);
    if (n < size) {
        fprintf(out, "  | … (%zu)\n", size);
    }
}

void quote_first_error(FILE *out, const char *log)
{
    const char *at = log;
    while (*at != '\0') {
        const char *end = strchr(at, '\n');
        size_t length = end != NULL ? (size_t)(end - at) : strlen(at);
        char line[512];
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        if (strstr(line, "error:") != NULL || strstr(line, "multiple definition") != NULL ||
            strstr(line, "undefined reference") != NULL) {
            for (int i = 0; i < 3 && *at != '\0'; i++) {
                end = strchr(at, '\n');
                length = end != NULL ? (size_t)(end - at) : strlen(at);
                fprintf(out, "  %.*s\n", (int)length, at);
                at += length + (end != NULL);
                if (i == 0 && strstr(line, "error:") == NULL) {
                    break;
                }
            }
            return;
        }
        at += length + (end != NULL);
    }
    fprintf(out, "  %.*s\n", (int)strcspn(log, "\n"), log);
}

void quote_warnings(FILE *out, const char *log, enum language language)
{
    bool first = true;
    for (const char *at = log; at != NULL && *at != '\0';) {
        size_t length = strcspn(at, "\n");
        char line[512];
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        if (strstr(line, "warning:") != NULL) {
            if (first) {
                fprintf(out, "\n  %s\n", text(language, TEXT_WARNINGS));
            }
            first = false;
            fprintf(out, "  %s\n", line);
        }
        at += length + (at[length] == '\n');
    }
}
