/* jinja_string.h: the string literals in a Jinja template.
 * Introduced in chapter 6.
 *
 *     text {# comment #} {% if name == "x" %} {{ 'literal\n' }}
 *
 * Strings stand in code only, between {{ and }} or {% and %}; a quote in the text or in a comment is a quote. */
#ifndef COMMON_JINJA_STRING_H
#define COMMON_JINJA_STRING_H

#include <stdbool.h>
#include <stddef.h>

enum { JINJA_CHARACTER_MAX = 4 };

/* Between the quotes, as written. */
struct jinja_string {
    const char *at, *end;
};

struct jinja_strings {
    const char *at, *end;
    char close; /* the character before the } that ends the code here; '\0' in text */
    int depth;  /* of braces in the code: the }} of a dictionary ends nothing */
};

/* The next string literal of the template, false when there is none. */
bool jinja_strings_next(struct jinja_strings *walk, struct jinja_string *string);

/* Reads one character or escape (Python's, as Jinja's strings have) and returns the bytes written to out; out must hold
 * JINJA_CHARACTER_MAX. They are never more than were read. 0 for a line continuation. requires at < end */
size_t jinja_string_next(struct jinja_string *string, char *out);

#endif
