#include "common/table.h"

#include <math.h>
#include <string.h>

#include "common/require.h"

void table_begin(struct table *table, FILE *out, const char *columns)
{
    REQUIRE(columns[0] != '\0');
    table->out = out;
    table->n_columns = 1;
    table->column = 0;
    for (const char *c = columns; *c != '\0'; c++) {
        if (*c == ' ') {
            table->n_columns++;
        }
        fputc(*c == ' ' ? '\t' : *c, out);
    }
    fputc('\n', out);
}

static void end_cell(struct table *table)
{
    table->column++;
    if (table->column == table->n_columns) {
        table->column = 0;
        fputc('\n', table->out);
    } else {
        fputc('\t', table->out);
    }
}

void table_int(struct table *table, long long value)
{
    fprintf(table->out, "%lld", value);
    end_cell(table);
}

void table_float(struct table *table, double value)
{
    if (isnan(value)) {
        fputs("nan", table->out); /* never "-nan": gnuplot knows no such word */
    } else {
        fprintf(table->out, "%.9g", value);
    }
    end_cell(table);
}

void table_text(struct table *table, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        switch (text[i]) {
        case '\t': fputs("\\t", table->out); break;
        case '\n': fputs("\\n", table->out); break;
        case '\r': fputs("\\r", table->out); break;
        case '\\': fputs("\\\\", table->out); break;
        default: fputc(text[i], table->out);
        }
    }
    end_cell(table);
}

void table_string(struct table *table, const char *text)
{
    table_text(table, text, strlen(text));
}
