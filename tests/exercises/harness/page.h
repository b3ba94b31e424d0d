/* page.h: text in the columns of a terminal, English and Chinese. */
#ifndef EXERCISES_PAGE_H
#define EXERCISES_PAGE_H

#include <stdbool.h>
#include <stdio.h>

/* Columns that UTF-8 text takes on a terminal. */
int page_columns(const char *s);

/* Writes before and text after two spaces, no line longer than 79 columns. plain: one line, as a screen reader likes it. */
void page_wrapped(FILE *out, const char *before, const char *text, bool plain);

#endif
