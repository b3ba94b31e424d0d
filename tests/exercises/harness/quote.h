/* quote.h: what the compiler and the student's own code said, in a report. */
#ifndef EXERCISES_QUOTE_H
#define EXERCISES_QUOTE_H

#include <stddef.h>
#include <stdio.h>

#include "text.h"

/* What the student's code printed, each line marked as a quotation, so that it cannot pass for the judge's words.
 * Nothing where size is 0. */
void quote_output(FILE *out, const char *bytes, size_t size, enum language language);

/* The first error in a compiler's output: its line and the two below, which show the place. */
void quote_first_error(FILE *out, const char *log);

/* The lines with warnings; log may be NULL. */
void quote_warnings(FILE *out, const char *log, enum language language);

#endif
