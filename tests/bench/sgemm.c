#include "tests/bench/sgemm.h"

#ifdef HAVE_OPENBLAS

#include <cblas.h>

bool sgemm_available(void)
{
    return true;
}

void sgemm_multiply(float *y, const float *x, const float *w, int n_tokens, int rows, int cols, int n_threads)
{
    openblas_set_num_threads(n_threads);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n_tokens, rows, cols, 1.0F, x, cols, w, cols, 0.0F,
                y, rows);
}

#else

bool sgemm_available(void)
{
    return false;
}

void sgemm_multiply(float *y, const float *x, const float *w, int n_tokens, int rows, int cols, int n_threads)
{
    (void)y, (void)x, (void)w, (void)n_tokens, (void)rows, (void)cols, (void)n_threads;
}

#endif
