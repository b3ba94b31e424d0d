#include "tests/bench/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct report_line *find(struct report *report, const char *name)
{
    for (int i = 0; i < report->n_lines; i++) {
        if (strcmp(report->lines[i].name, name) == 0) {
            return &report->lines[i];
        }
    }
    return NULL;
}

void report_add(struct report *report, const char *name, const char *unit, double value)
{
    struct report_line *line = find(report, name);
    if (!isfinite(value)) {
        return;
    }
    if (line == NULL && report->n_lines < REPORT_MAX_LINES) {
        line = &report->lines[report->n_lines++];
        *line = (struct report_line){.name = name, .unit = unit};
    }
    if (line != NULL && line->n_values < REPORT_MAX_VALUES) {
        line->values[line->n_values++] = value;
    }
}

static double best(const struct report_line *line)
{
    double largest = line->values[0];
    for (int i = 1; i < line->n_values; i++) {
        largest = line->values[i] > largest ? line->values[i] : largest;
    }
    return largest;
}

double report_value(const struct report *report, const char *name)
{
    const struct report_line *line = find((struct report *)report, name);
    return line == NULL ? 0 : best(line);
}

void report_roof(struct report *report, const char *name, double roof)
{
    struct report_line *line = find(report, name);
    if (line != NULL) {
        line->roof = roof;
    }
}

static int smaller_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void report_print(const struct report *report)
{
    printf("  %-20s %10s %-8s %8s %6s   %8s %8s\n", "", "best", "", "roof", "share", "median", "worst");
    for (int i = 0; i < report->n_lines; i++) {
        struct report_line line = report->lines[i];
        qsort(line.values, (size_t)line.n_values, sizeof *line.values, smaller_first);
        double value = fabs(line.values[line.n_values - 1]);
        int digits = value < 10 ? 3 : 1;
        printf("  %-20s %10.*f %-8s", line.name, digits, value, line.unit);
        if (line.roof > 0) {
            printf(" %8.*f %5.0f%%", line.roof < 10 ? 3 : 1, line.roof, 100 * value / line.roof);
        } else {
            printf(" %8s %6s", "", "");
        }
        printf("   %8.*f %8.*f\n", digits, fabs(line.values[line.n_values / 2]), digits,
               fabs(line.values[0]));
    }
}

bool report_write(const struct report *report, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    fprintf(file, "name\tvalue\tunit\troof\tratio\n");
    for (int i = 0; i < report->n_lines; i++) {
        const struct report_line *line = &report->lines[i];
        double value = fabs(best(line));
        fprintf(file, "%s\t%.6g\t%s\t", line->name, value, line->unit);
        if (line->roof > 0) {
            fprintf(file, "%.6g\t%.4f\n", line->roof, value / line->roof);
        } else {
            fprintf(file, "-\t-\n");
        }
    }
    return fclose(file) == 0;
}
