/* table.h: writes tab-separated values, the format of every --data output.
 * Introduced in chapter 1.
 *
 * The first line names the columns; nothing else but rows follows. Floats are written as %.9g, which reads back to
 * the same float32; a tab, newline, return or backslash inside text becomes \t \n \r \\. The decimal point is a
 * point in every locale, because no program here calls setlocale. Write errors stay on the stream (ferror): the
 * program checks them once at its end. */
#ifndef COMMON_TABLE_H
#define COMMON_TABLE_H

#include <stddef.h>
#include <stdio.h>

struct table {
    FILE *out;
    int n_columns;
    int column; /* the column that the next cell goes to, from 0 */
};

/* Writes the header line. columns: names separated by single spaces, "position pair cos". out is borrowed. */
void table_begin(struct table *table, FILE *out, const char *columns);

/* Each call writes one cell; the cell of the last column also ends the row. */
void table_int(struct table *table, long long value);
void table_float(struct table *table, double value);
void table_text(struct table *table, const char *text, size_t length); /* any bytes */
void table_string(struct table *table, const char *text);              /* NUL-terminated */

#endif
