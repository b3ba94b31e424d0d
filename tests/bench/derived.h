/* derived.h: lines that are measured in another process or follow from others. */
#ifndef TESTS_BENCH_DERIVED_H
#define TESTS_BENCH_DERIVED_H

#include "tests/bench/measures.h"

/* A start, in a process of its own. */
void derived_measure_start(const struct measuring *on);

/* What follows from the medians of all rounds, and what is measured once. */
void derived_from_medians(const struct measuring *on);

/* a and b that make a n + b n^2 nearest to seconds, each error as a share of its seconds: least squares. Returns the
 * largest of these shares; NaN for fewer than two different n. */
double derived_fit(const double *n, const double *seconds, int count, double *a, double *b);

#endif
