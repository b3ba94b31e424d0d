/* roofs.h: what this machine can do at best: read memory, multiply float32, multiply bfloat16. Each is measured by a
 * loop that does nothing else. */
#ifndef TESTS_BENCH_ROOFS_H
#define TESTS_BENCH_ROOFS_H

#include <stdbool.h>
#include <stddef.h>

double now(void); /* seconds */

/* Seconds that n_threads take to read all bytes once, with the widest loads of the machine. The probes, from 0 to
 * N_READ_PROBES - 1, differ in how many streams a thread reads side by side and how far ahead it prefetches. */
enum { N_READ_PROBES = 6 };
const char *roof_read_name(int probe);
bool roof_read_prefetches(int probe);
double roof_read(const void *bytes, size_t n_bytes, int n_threads, int probe);

/* The i-th instruction set that this machine can multiply with, NULL after the last. */
const char *roof_multiply_name(int i);
/* Whether it multiplies bfloat16 (and adds in float32) instead of float32. */
bool roof_multiply_is_bf16(int i);
/* Its floating-point operations a second (a multiplication and an addition are two), on n_threads for about 5 ms. */
double roof_multiply(int i, int n_threads);

/* The tiles of AMX (roof_amx.c): false, 0 where the compiler or the machine has none. A step is roof_amx_flops. */
extern const double roof_amx_flops;
bool roof_amx_usable(void);
void roof_amx_run(long n_steps);

#endif
