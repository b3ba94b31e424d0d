/* roof_lines.h: the lines of the roofs themselves, and the roofs beside the work. */
#ifndef TESTS_BENCH_ROOF_LINES_H
#define TESTS_BENCH_ROOF_LINES_H

#include "tests/bench/measures.h"

/* One round of every line roof.*; the bench notes what was fastest. */
void lines_of_roofs(const struct measuring *on);

/* GB/s of one probe over all weights. */
double lines_read(const struct random_model *random, int n_threads, int probe);

/* GFLOP/s of the fastest instruction set of a kind, the better of two; NaN where the machine has none. */
double lines_multiply(const struct bench *bench, bool is_bf16, int n_threads);

#endif
