/* report.h: collects what the rounds measured; prints the table and writes the TSV. */
#ifndef TESTS_BENCH_REPORT_H
#define TESTS_BENCH_REPORT_H

#include <stdbool.h>

enum { REPORT_MAX_LINES = 64, REPORT_MAX_VALUES = 16 };

struct report {
    struct report_line {
        const char *name, *unit;
        double values[REPORT_MAX_VALUES];
        int n_values;
        double roof; /* 0: none */
    } lines[REPORT_MAX_LINES];
    int n_lines;
};

/* One more value of a line, which the first one makes. NaN and infinities are not measured and make none. Larger is better; where
 * less is better, give it negative. */
void report_add(struct report *report, const char *name, const char *unit, double value);
/* The best value of a line, as given; 0 for a line that is not there. */
double report_value(const struct report *report, const char *name);
void report_roof(struct report *report, const char *name, double roof);

void report_print(const struct report *report);
/* name value unit roof ratio; "-" where there is no roof. */
bool report_write(const struct report *report, const char *path);

#endif
