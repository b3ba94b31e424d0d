#include "tests/bench/sgemm.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef HAVE_OPENBLAS

#include <cblas.h>

bool sgemm_available(void)
{
    return true;
}

const char *sgemm_core(void)
{
    return openblas_get_corename();
}

#if defined(__x86_64__)

static bool is_one_of(const char *name, const char *const *names, int n)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

void sgemm_choose_core(char **argv)
{
    static const char *const with_avx512[] = {"SkylakeX", "Cooperlake", "SapphireRapids"};
    static const char *const with_avx2[] = {"Haswell", "Zen", "Excavator"};
    const char *core = openblas_get_corename(), *better = NULL;
    if (__builtin_cpu_supports("avx512f")) {
        better = is_one_of(core, with_avx512, 3) ? NULL : "SkylakeX";
    } else if (__builtin_cpu_supports("avx2")) {
        better = is_one_of(core, with_avx2, 3) ? NULL : "Haswell";
    }
    if (better != NULL && getenv("BENCH_RESTARTED") == NULL && setenv("BENCH_RESTARTED", "1", 1) == 0 &&
        setenv("OPENBLAS_CORETYPE", better, 1) == 0) {
        (void)execv(argv[0], argv); /* where that is not possible, it goes on as it is */
    }
}

#else

void sgemm_choose_core(char **argv)
{
    (void)argv;
}

#endif

void sgemm_wait(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 80 * 1000 * 1000}, NULL);
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

const char *sgemm_core(void)
{
    return NULL;
}

void sgemm_choose_core(char **argv)
{
    (void)argv;
}

void sgemm_wait(void)
{
}

void sgemm_multiply(float *y, const float *x, const float *w, int n_tokens, int rows, int cols, int n_threads)
{
    (void)y, (void)x, (void)w, (void)n_tokens, (void)rows, (void)cols, (void)n_threads;
}

#endif
