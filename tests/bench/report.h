/* report.h: collects what the rounds measured; prints the table and writes the TSV.
 *
 * On a machine shared with others speed comes and goes within a second, so a value alone says little. Every round
 * measures the work and its roof right after each other; the share reached is the median over the rounds of these
 * pairs' quotients, which moves far less from run to run than a quotient of medians or of bests. */
#ifndef TESTS_BENCH_REPORT_H
#define TESTS_BENCH_REPORT_H

#include <stdbool.h>
#include <stdio.h>

enum { REPORT_MAX_LINES = 96, REPORT_MAX_ROUNDS = 32, REPORT_NAME_SIZE = 40 };

struct report_line {
    char name[REPORT_NAME_SIZE];
    const char *unit;
    int n;
    double value[REPORT_MAX_ROUNDS];
    double roof[REPORT_MAX_ROUNDS]; /* beside the value of the same index; 0: the line has none */
    double aim;                     /* the share to be reached; negative: not to be exceeded; 0: none */
};

struct report {
    struct report_line line[REPORT_MAX_LINES];
    int n_lines;
};

/* One more round of a line, which the first one makes. What is not measured, a value of NaN or infinity, makes none. */
void report_add(struct report *report, const char *name, const char *unit, double value, double roof);
void report_aim(struct report *report, const char *name, double aim);

const struct report_line *report_find(const struct report *report, const char *name); /* NULL: not measured */
double report_value(const struct report *report, const char *name);                   /* median, or NaN */
double report_last(const struct report *report, const char *name); /* of this round, or NaN */
double report_share(const struct report_line *line);  /* median of value / roof; 0 without roof */
double report_spread(const struct report_line *line); /* largest less smallest share */

/* The middle one, or the mean of the middle two. requires n > 0. */
double report_median(const double *value, int n);

/* The table, and under it the lines that miss their aim. */
void report_print(const struct report *report, FILE *out);
/* name value unit roof ratio. value and ratio are medians, roof is value / ratio, the roof beside such a value; "-"
 * where there is none. The file appears whole or not at all. */
bool report_write(const struct report *report, const char *path);

#endif
