/* matmul_kernels.h: what a file with one instruction set's kernel gives to matmul.c. Only matmul*.c include it.
 * Introduced in chapter 4. */
#ifndef COMMON_MATMUL_KERNELS_H
#define COMMON_MATMUL_KERNELS_H

#include <stdbool.h>

#include "common/matmul.h"

/* A kernel file is compiled with its own flags (.make/configure.sh), so nothing of it may run before usable() said
 * yes. Where the compiler cannot make the instructions, built_in is false and every function NULL. */
struct matmul_kernel {
    const char *name;
    bool built_in;
    bool (*usable)(void); /* do this CPU and its operating system run it? */

    /* Outputs first .. end-1 of one product for all tokens. The bits of an output depend on n_tokens, never on first
     * and end: that is what makes results independent of the number of threads. */
    void (*rows)(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens, int first,
                 int end);

    float (*dot)(const float *a, const float *b, int n);
    void (*add_scaled)(float *y, float scale, const float *x, int n);
};

extern const struct matmul_kernel matmul_portable;
extern const struct matmul_kernel matmul_avx2;
extern const struct matmul_kernel matmul_avx512;
extern const struct matmul_kernel matmul_avx512bf16;
extern const struct matmul_kernel matmul_amx;
extern const struct matmul_kernel matmul_neon;

#endif
