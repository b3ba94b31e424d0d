#include "page.h"

enum { WIDTH = 79 };

/* Bytes and columns of the character at s: UTF-8, a Chinese character takes two columns. */
static int character(const char *s, int *width)
{
    unsigned char c = (unsigned char)s[0];
    int length = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    *width = c >= 0xe3 && c < 0xf0 ? 2 : c >= 0xf0 ? 2 : 1;
    for (int i = 1; i < length; i++) {
        if (((unsigned char)s[i] & 0xc0) != 0x80) { /* not UTF-8: one byte, one column */
            *width = 1;
            return 1;
        }
    }
    return length;
}

int page_columns(const char *s)
{
    int n = 0;
    while (*s != '\0') {
        int width = 0;
        s += character(s, &width);
        n += width;
    }
    return n;
}

/* Bytes of the next piece that is not broken: a word with the space before it, or one Chinese character. */
static int piece(const char *s, int *width)
{
    int length = 0;
    *width = 0;
    while (s[length] != '\0' && (s[length] != ' ' || length == 0)) {
        int w = 0;
        int n = character(s + length, &w);
        if (w == 2 && *width > 0) {
            break;
        }
        length += n;
        *width += w;
        if (w == 2) {
            break;
        }
    }
    return length;
}

void page_wrapped(FILE *out, const char *before, const char *text, bool plain)
{
    fprintf(out, "  %s%s", before, before[0] != '\0' ? " " : "");
    int column = 2 + page_columns(before) + (before[0] != '\0');
    while (*text != '\0') {
        int width = 0;
        int length = piece(text, &width);
        if (column + width > WIDTH && !plain) {
            fputs("\n  ", out);
            column = 2;
            if (*text == ' ') {
                text++;
                continue;
            }
        }
        fwrite(text, 1, (size_t)length, out);
        column += width;
        text += length;
    }
    fputc('\n', out);
}
