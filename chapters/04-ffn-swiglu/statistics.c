#include "statistics.h"

#include <math.h>

#include "common/require.h"

/* The 0.975 quantile of Student's t distribution for 1 to 30 degrees of freedom, from published tables. */
static const double t_quantile[MAX_RUNS - 1] = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120,  2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};

struct interval interval_of(const double *values, int n)
{
    REQUIRE(n >= 2 && n <= MAX_RUNS);
    double mean = 0;
    double squares = 0;
    for (int i = 0; i < n; i++) {
        mean += values[i] / n;
    }
    for (int i = 0; i < n; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
    }
    double deviation = sqrt(squares / (n - 1));
    return (struct interval){mean, t_quantile[n - 2] * deviation / sqrt((double)n)};
}

struct interval interval_of_difference(const double *a, const double *b, int n)
{
    double differences[MAX_RUNS];
    REQUIRE(n <= MAX_RUNS);
    for (int i = 0; i < n; i++) {
        differences[i] = a[i] - b[i];
    }
    return interval_of(differences, n);
}

int interval_side(struct interval interval)
{
    if (interval.mean + interval.half < 0) {
        return -1;
    }
    return interval.mean - interval.half > 0 ? 1 : 0;
}
