#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/table.h"
#include "tests/support/test.h"

/* What the calls between open and close have written. */
static char text[4096];
static FILE *file;
static struct table table;

static void open_table(const char *columns)
{
    file = tmpfile();
    ck_assert_ptr_nonnull(file);
    table_begin(&table, file, columns);
}

static const char *written(void)
{
    rewind(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    fclose(file);
    return text;
}

START_TEST(rows_end_with_the_last_column)
{
    open_table("position name value");
    for (int i = 0; i < 2; i++) {
        table_int(&table, i - 1);
        table_string(&table, i == 0 ? "a b" : "");
        table_float(&table, 0.5 * i);
    }
    ck_assert_int_eq(table.column, 0);
    ck_assert_str_eq(written(), "position\tname\tvalue\n-1\ta b\t0\n0\t\t0.5\n");
}
END_TEST

START_TEST(one_column)
{
    open_table("id");
    table_int(&table, 9223372036854775807LL);
    ck_assert_str_eq(written(), "id\n9223372036854775807\n");
}
END_TEST

START_TEST(what_would_break_a_row_is_escaped)
{
    open_table("a b");
    table_text(&table, "\t\n\r\\\0\xff", 6);
    table_string(&table, "\\t is not a tab");
    file = table.out;
    rewind(file);
    size_t n = fread(text, 1, sizeof text, file);
    fclose(file);
    static const char expected[] = "a\tb\n\\t\\n\\r\\\\\0\xff\t\\\\t is not a tab\n";
    ck_assert_uint_eq(n, sizeof expected - 1);
    ck_assert_int_eq(memcmp(text, expected, n), 0);
}
END_TEST

/* Nine digits bring back every float32; the last value here needs all of them. */
START_TEST(floats_read_back)
{
    static const float values[] = {0.1f, 1.0f / 3, FLT_MAX, FLT_MIN, 1e-45f, -16777217.0f, 1000000064.0f};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        open_table("x");
        table_float(&table, (double)values[i]);
        ck_assert(strtof(written() + 2, NULL) == values[i]);
        ck_assert_ptr_null(strchr(text, ','));
    }
}
END_TEST

START_TEST(not_a_number_has_one_spelling)
{
    open_table("x y z");
    table_float(&table, (double)NAN);
    table_float(&table, -(double)NAN);
    table_float(&table, -(double)INFINITY);
    ck_assert_str_eq(written(), "x\ty\tz\nnan\tnan\t-inf\n");
}
END_TEST

START_TEST(a_table_without_columns_is_the_callers_bug)
{
    open_table("");
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("table");
    add_test(suite, "rows end with the last column", rows_end_with_the_last_column);
    add_test(suite, "one column", one_column);
    add_test(suite, "what would break a row is escaped", what_would_break_a_row_is_escaped);
    add_test(suite, "floats read back", floats_read_back);
    add_test(suite, "not a number", not_a_number_has_one_spelling);
    add_abort_test(suite, "no columns", a_table_without_columns_is_the_callers_bug);
    return suite;
}
