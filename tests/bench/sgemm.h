/* sgemm.h: the same products by OpenBLAS, where it is installed; what a product here is compared with. */
#ifndef TESTS_BENCH_SGEMM_H
#define TESTS_BENCH_SGEMM_H

#include <stdbool.h>

bool sgemm_available(void);
/* y [n_tokens, rows] = x [n_tokens, cols] w^T, w [rows, cols]; float32. */
void sgemm_multiply(float *y, const float *x, const float *w, int n_tokens, int rows, int cols,
                    int n_threads);

#endif
