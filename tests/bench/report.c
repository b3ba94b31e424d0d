#include "tests/bench/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct report_line *report_find(const struct report *report, const char *name)
{
    for (int i = 0; i < report->n_lines; i++) {
        if (strcmp(report->line[i].name, name) == 0) {
            return &report->line[i];
        }
    }
    return NULL;
}

void report_add(struct report *report, const char *name, const char *unit, double value, double roof)
{
    if (!isfinite(value) || !isfinite(roof)) {
        return;
    }
    struct report_line *line = (struct report_line *)report_find(report, name);
    if (line == NULL && report->n_lines < REPORT_MAX_LINES) {
        line = &report->line[report->n_lines++];
        *line = (struct report_line){.unit = unit};
        snprintf(line->name, sizeof line->name, "%s", name);
    }
    if (line != NULL && line->n < REPORT_MAX_ROUNDS) {
        line->value[line->n] = value;
        line->roof[line->n++] = roof;
    }
}

void report_aim(struct report *report, const char *name, double aim)
{
    struct report_line *line = (struct report_line *)report_find(report, name);
    if (line != NULL) {
        line->aim = aim;
    }
}

/* ---- Statistics ---- */

static int smaller_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort_copy(double sorted[REPORT_MAX_ROUNDS], const double *value, int n)
{
    memcpy(sorted, value, (size_t)n * sizeof *value);
    qsort(sorted, (size_t)n, sizeof *sorted, smaller_first);
}

double report_median(const double *value, int n)
{
    double sorted[REPORT_MAX_ROUNDS];
    sort_copy(sorted, value, n);
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

double report_value(const struct report *report, const char *name)
{
    const struct report_line *line = report_find(report, name);
    return line == NULL ? NAN : report_median(line->value, line->n);
}

double report_last(const struct report *report, const char *name)
{
    const struct report_line *line = report_find(report, name);
    return line == NULL ? NAN : line->value[line->n - 1];
}

static void shares_of(const struct report_line *line, double share[REPORT_MAX_ROUNDS])
{
    for (int i = 0; i < line->n; i++) {
        share[i] = line->value[i] / line->roof[i];
    }
}

double report_share(const struct report_line *line)
{
    double share[REPORT_MAX_ROUNDS];
    if (line->roof[0] == 0) {
        return 0;
    }
    shares_of(line, share);
    return report_median(share, line->n);
}

/* The roof beside a value of the median. */
static double roof_of(const struct report_line *line)
{
    double share = report_share(line);
    return share > 0 ? report_median(line->value, line->n) / share : report_median(line->roof, line->n);
}

double report_spread(const struct report_line *line)
{
    double share[REPORT_MAX_ROUNDS], sorted[REPORT_MAX_ROUNDS];
    if (line->roof[0] == 0) {
        return 0;
    }
    shares_of(line, share);
    sort_copy(sorted, share, line->n);
    return sorted[line->n - 1] - sorted[0];
}

/* ---- Output ---- */

static void print_number(FILE *out, double value)
{
    fprintf(out, " %7.*f", value >= 1000 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 3 : 5, value);
}

static void print_line(const struct report_line *line, FILE *out)
{
    double sorted[REPORT_MAX_ROUNDS];
    sort_copy(sorted, line->value, line->n);
    fprintf(out, "%-20s", line->name);
    print_number(out, sorted[0]);
    print_number(out, report_median(line->value, line->n));
    print_number(out, sorted[line->n - 1]);
    fprintf(out, line->roof[0] > 0 ? " %-8s" : " %s", line->unit);
    if (line->roof[0] > 0) {
        print_number(out, roof_of(line));
        double share = 100 * report_share(line), spread = 100 * report_spread(line);
        fprintf(out, " %5.*f%% %4.*f", share < 1000 ? 1 : 0, fmin(share, 99999), spread < 100 ? 1 : 0,
                fmin(spread, 9999));
    }
    if (line->aim != 0) {
        fprintf(out, " %s%.0f%%", line->aim > 0 ? ">=" : "<=", 100 * fabs(line->aim));
    }
    fprintf(out, "\n");
}

static bool misses_aim(const struct report_line *line)
{
    double share = report_share(line);
    return line->aim > 0 ? share < line->aim : line->aim < 0 && share > -line->aim;
}

void report_print(const struct report *report, FILE *out)
{
    fprintf(out, "%-20s %7s %7s %7s %-8s %7s %6s %4s %5s\n", "", "least", "median", "most", "", "roof",
            "share", "+-", "aim");
    for (int i = 0; i < report->n_lines; i++) {
        print_line(&report->line[i], out);
    }
    int n_missed = 0;
    for (int i = 0; i < report->n_lines; i++) {
        if (misses_aim(&report->line[i])) {
            fprintf(out, "%s %s",
                    n_missed == 0       ? "not reached:"
                    : n_missed % 3 == 0 ? "\n            "
                                        : "",
                    report->line[i].name);
            n_missed++;
        }
    }
    fprintf(out, "%s\n", n_missed == 0 ? "every aim is reached" : "");
}

bool report_write(const struct report *report, const char *path)
{
    char unfinished[1024];
    snprintf(unfinished, sizeof unfinished, "%s.new", path);
    FILE *file = fopen(unfinished, "w");
    if (file == NULL) {
        return false;
    }
    fprintf(file, "name\tvalue\tunit\troof\tratio\n");
    for (int i = 0; i < report->n_lines; i++) {
        const struct report_line *line = &report->line[i];
        fprintf(file, "%s\t%.6g\t%s\t", line->name, report_median(line->value, line->n), line->unit);
        if (line->roof[0] > 0) {
            fprintf(file, "%.6g\t%.4f\n", roof_of(line), report_share(line));
        } else {
            fprintf(file, "-\t-\n");
        }
    }
    bool whole = ferror(file) == 0;
    whole = fclose(file) == 0 && whole;
    return whole && rename(unfinished, path) == 0;
}
