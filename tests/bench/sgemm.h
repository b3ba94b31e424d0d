/* sgemm.h: the same products by OpenBLAS, where it is installed; what a product here is compared with. */
#ifndef TESTS_BENCH_SGEMM_H
#define TESTS_BENCH_SGEMM_H

#include <stdbool.h>

bool sgemm_available(void);

/* What it takes this CPU for: "SkylakeX"; NULL without it. */
const char *sgemm_core(void);

/* OpenBLAS chooses its kernels when the program starts; an older one may not know this CPU, or the environment names a
 * core with shorter vectors. Then the program starts once more with a core type that has this CPU's vectors: a rival is
 * measured at its best. Call it first thing in main(). */
void sgemm_choose_core(char **argv);

/* Waits until the threads of both sides sleep. OpenBLAS's and OpenMP's turn in a loop for a while after their work, and
 * whoever comes next would have half the machine: sgemm measured without this pause reaches half its speed. */
void sgemm_wait(void);

/* y [n_tokens, rows] = x [n_tokens, cols] w^T, w [rows, cols]; float32. */
void sgemm_multiply(float *y, const float *x, const float *w, int n_tokens, int rows, int cols,
                    int n_threads);

#endif
