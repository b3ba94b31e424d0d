#include "common/split_ascii.h"

#include <stdbool.h>

enum kind { OTHER, LETTER, DIGIT, SPACE, NEWLINE, END, FOREIGN };

static enum kind kind_at(const char *text, size_t size, size_t at)
{
    if (at >= size) {
        return END;
    }
    unsigned char c = (unsigned char)text[at];
    if (c >= 0x80) {
        return FOREIGN;
    }
    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') {
        return LETTER;
    }
    if (c >= '0' && c <= '9') {
        return DIGIT;
    }
    if (c == '\n' || c == '\r') {
        return NEWLINE;
    }
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' ? SPACE : OTHER;
}

/* The place after the run of one kind that begins at `at`, 0 when it ends at a byte above 127. */
static size_t end_of_run(const char *text, size_t size, size_t at, enum kind wanted)
{
    while (kind_at(text, size, at) == wanted) {
        at++;
    }
    return kind_at(text, size, at) == FOREIGN ? 0 : at;
}

/* (?i:'s|'t|'re|'ve|'m|'ll|'d) */
static size_t contraction(const char *text, size_t size)
{
    char first = size > 1 ? (char)(text[1] | 0x20) : '\0';
    char second = size > 2 ? (char)(text[2] | 0x20) : '\0';
    if (first == 's' || first == 't' || first == 'm' || first == 'd') {
        return 2;
    }
    bool two =
        (first == 'r' && second == 'e') || (first == 'v' && second == 'e') || (first == 'l' && second == 'l');
    return two ? 3 : 0;
}

/* \s*[\r\n]+|\s+(?!\S)|\s+ */
static size_t white_space(const char *text, size_t size)
{
    size_t end = 0, last_newline = 0;
    enum kind kind = kind_at(text, size, 0);
    while (kind == SPACE || kind == NEWLINE) {
        end++;
        last_newline = kind == NEWLINE ? end : last_newline;
        kind = kind_at(text, size, end);
    }
    if (kind == FOREIGN) {
        return 0; /* it may be white space too */
    }
    if (last_newline > 0) {
        return last_newline;
    }
    /* The last space of a run belongs to what follows. */
    return kind == END || end == 1 ? end : end - 1;
}

size_t split_ascii(const char *text, size_t size)
{
    enum kind first = kind_at(text, size, 0), second = kind_at(text, size, 1);
    if (first == FOREIGN || (second == FOREIGN && first != DIGIT)) {
        return 0;
    }
    size_t length = text[0] == '\'' ? contraction(text, size) : 0;
    if (length > 0 || first == DIGIT) {
        return length > 0 ? length : 1;
    }
    /* [^\r\n\p{L}\p{N}]?\p{L}+ */
    if (first == LETTER || (first != NEWLINE && second == LETTER)) {
        return end_of_run(text, size, 1, LETTER);
    }
    /*  ?[^\s\p{L}\p{N}]+[\r\n]* */
    if (first == OTHER || (text[0] == ' ' && second == OTHER)) {
        size_t end = end_of_run(text, size, 1, OTHER);
        if (end == 0) {
            return 0;
        }
        while (kind_at(text, size, end) == NEWLINE) {
            end++;
        }
        return end;
    }
    return white_space(text, size);
}
