/* properties.h: true statements about a wrong answer that no known misconception explains. */
#ifndef EXERCISES_PROPERTIES_H
#define EXERCISES_PROPERTIES_H

#include <stdio.h>

#include "record.h"
#include "text.h"

/* Writes one line, indented, for each statement that holds of the output in which the first difference lies, and of the
 * cases as a whole. At least one line is always written. */
void properties_write(FILE *out, enum language language, const struct record *got,
                      const struct record *expected, int case_index, int output_index);

#endif
