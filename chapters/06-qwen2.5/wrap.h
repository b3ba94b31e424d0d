/* wrap.h: text for a person on a terminal, whose lines break between words. A pipe or a file gets its bytes as they
 * are. A word is written when it is known to be whole: one word behind the model. */
#ifndef CHAPTER6_WRAP_H
#define CHAPTER6_WRAP_H

#include <stddef.h>
#include <stdio.h>

struct wrap {
    FILE *out;
    int columns; /* of the terminal; 0: none, nothing is changed */
    int column;  /* where the next character goes, without what is held back: */
    int n_spaces;
    char word[256];
    size_t length; /* bytes */
    int width;     /* columns: a Chinese character takes two, an accent none */
};

/* At the start of a line of out. */
struct wrap wrap_to(FILE *out);
void wrap_write(struct wrap *wrap, const char *text, size_t length);
/* Writes what is held back. */
void wrap_end(struct wrap *wrap);

#endif
