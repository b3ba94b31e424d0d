/* statistics.h: how sure a mean over a few runs is. */
#ifndef CHAPTER4_STATISTICS_H
#define CHAPTER4_STATISTICS_H

enum { MAX_RUNS = 31 };

struct interval {
    double mean;
    double half; /* the 95 % confidence interval of the mean is mean - half .. mean + half */
};

/* Student's t interval: half = t(n - 1) * standard deviation / sqrt(n). It takes the runs as independent and their
 * values as about normal. requires 2 <= n <= MAX_RUNS */
struct interval interval_of(const double *values, int n);

/* The interval of a[i] - b[i]. Runs with the same seed share their data, so what one seed makes harder for both falls
 * out of the difference. */
struct interval interval_of_difference(const double *a, const double *b, int n);

/* Whether the interval is on one side of zero: -1 below, 1 above, 0 neither. */
int interval_side(struct interval interval);

#endif
