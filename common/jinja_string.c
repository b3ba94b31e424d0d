#include "common/jinja_string.h"

#include <stdint.h>
#include <string.h>

#include "common/utf8.h"

/* Goes behind the comment that begins here. */
static void skip_comment(struct jinja_strings *walk)
{
    for (walk->at += 2; walk->at < walk->end; walk->at++) {
        if (*walk->at == '#' && walk->at + 1 < walk->end && walk->at[1] == '}') {
            walk->at += 2;
            return;
        }
    }
}

static void step_in_text(struct jinja_strings *walk)
{
    char next = walk->at + 1 < walk->end ? walk->at[1] : '\0';
    if (*walk->at == '{' && next == '#') {
        skip_comment(walk);
    } else if (*walk->at == '{' && (next == '{' || next == '%')) {
        walk->close = next == '{' ? '}' : '%';
        walk->depth = 0;
        walk->at += 2;
    } else {
        walk->at++;
    }
}

static void step_in_code(struct jinja_strings *walk)
{
    char next = walk->at + 1 < walk->end ? walk->at[1] : '\0';
    if (*walk->at == walk->close && next == '}' && walk->depth == 0) {
        walk->close = '\0';
        walk->at += 2;
        return;
    }
    if (*walk->at == '{') {
        walk->depth++;
    } else if (*walk->at == '}' && walk->depth > 0) {
        walk->depth--;
    }
    walk->at++;
}

bool jinja_strings_next(struct jinja_strings *walk, struct jinja_string *string)
{
    while (walk->at < walk->end) {
        char quote = *walk->at;
        if (walk->close == '\0') {
            step_in_text(walk);
        } else if (quote != '\'' && quote != '"') {
            step_in_code(walk);
        } else {
            string->at = ++walk->at;
            while (walk->at < walk->end && *walk->at != quote) {
                walk->at += *walk->at == '\\' && walk->at + 1 < walk->end ? 2 : 1;
            }
            string->end = walk->at;
            if (walk->at < walk->end) {
                walk->at++;
                return true;
            }
        }
    }
    return false;
}

/* The code point of \xHH, \uHHHH or \UHHHHHHHH, whose digits begin at `at`; -1 when it is none. */
static int32_t hexadecimal(const char *at, const char *end, int n_digits)
{
    int32_t value = 0;
    for (int i = 0; i < n_digits; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit = at + i < end && at[i] != '\0'
                                ? strchr(digits, at[i] >= 'A' && at[i] <= 'F' ? at[i] | 0x20 : at[i])
                                : NULL;
        if (digit == NULL || value > 0x10ffff / 16) {
            return -1;
        }
        value = value * 16 + (int32_t)(digit - digits);
    }
    return value >= 0xd800 && value <= 0xdfff ? -1 : value;
}

size_t jinja_string_next(struct jinja_string *string, char *out)
{
    static const char letters[] = "\\'\"nrtbfav", meanings[] = "\\'\"\n\r\t\b\f\a\v";
    const char *at = string->at;
    char letter = at + 1 < string->end ? at[1] : '\0';
    if (*at != '\\' || letter == '\0') {
        string->at++;
        *out = *at;
        return 1;
    }
    if (letter == '\n') {
        string->at += 2;
        return 0;
    }
    const char *known = strchr(letters, letter);
    if (known != NULL) {
        string->at += 2;
        *out = meanings[known - letters];
        return 1;
    }
    int n_digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    int32_t code_point = n_digits > 0 ? hexadecimal(at + 2, string->end, n_digits) : -1;
    if (code_point < 0) {
        string->at++; /* no escape: the backslash stands for itself */
        *out = '\\';
        return 1;
    }
    string->at += 2 + n_digits;
    return (size_t)utf8_write(out, code_point);
}
