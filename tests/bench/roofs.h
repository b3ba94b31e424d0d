/* roofs.h: what this machine can do at best: read memory, multiply float32, multiply bfloat16. Each is measured by a
 * loop that does nothing else. */
#ifndef TESTS_BENCH_ROOFS_H
#define TESTS_BENCH_ROOFS_H

#include <stddef.h>

double now(void); /* seconds */

/* Seconds that n_threads take to read all bytes once; probe selects how, from 0 to N_READ_PROBES - 1: with the widest
 * vectors of the machine, prefetching 0, 2, 4 or 8 kB ahead. */
enum { N_READ_PROBES = 4 };
double roof_read(const void *bytes, size_t n_bytes, int n_threads, int probe);

/* The i-th instruction set that this machine can multiply with, NULL after the last. */
const char *roof_multiply_name(int i);
/* Whether it multiplies bfloat16 (and adds in float32) instead of float32. */
int roof_multiply_is_bf16(int i);
/* Its floating-point operations a second (a multiplication and an addition are two), on n_threads for about 10 ms. */
double roof_multiply(int i, int n_threads);

#endif
