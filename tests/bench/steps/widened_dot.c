#include "tests/bench/steps/widened_dot.h"

#include <string.h>

enum { LANES = 16, SUMS = 4, LINE = 64 };

/* The compiler makes of these what the instruction set of the function has. */
typedef uint16_t halves __attribute__((vector_size(2 * LANES)));
typedef uint32_t words __attribute__((vector_size(4 * LANES)));
typedef float floats __attribute__((vector_size(4 * LANES)));

#define DOT(name)                                                                                            \
    static float name(const float *x, const unsigned char *w, int n, size_t ahead)                           \
    {                                                                                                        \
        floats sum[SUMS] = {{0}};                                                                            \
        float total = 0;                                                                                     \
        int i = 0;                                                                                           \
        for (; i + SUMS * LANES <= n; i += SUMS * LANES) {                                                   \
            for (int byte = 0; ahead > 0 && byte < 2 * SUMS * LANES; byte += LINE) {                         \
                __builtin_prefetch(w + 2 * (size_t)i + (size_t)byte + ahead);                                \
            }                                                                                                \
            _Pragma("GCC unroll 4") for (int j = 0; j < SUMS; j++)                                           \
            {                                                                                                \
                halves half;                                                                                 \
                floats activation;                                                                           \
                memcpy(&half, w + 2 * (size_t)(i + j * LANES), sizeof half);                                 \
                memcpy(&activation, x + i + j * LANES, sizeof activation);                                   \
                sum[j] += activation * (floats)(__builtin_convertvector(half, words) << 16);                 \
            }                                                                                                \
        }                                                                                                    \
        for (int lane = 0; lane < LANES; lane++) {                                                           \
            total += sum[0][lane] + sum[1][lane] + sum[2][lane] + sum[3][lane];                              \
        }                                                                                                    \
        for (; i < n; i++) {                                                                                 \
            uint32_t bits = (uint32_t)w[2 * (size_t)i] << 16 | (uint32_t)w[2 * (size_t)i + 1] << 24;         \
            float weight;                                                                                    \
            memcpy(&weight, &bits, sizeof weight);                                                           \
            total += x[i] * weight;                                                                          \
        }                                                                                                    \
        return total;                                                                                        \
    }

DOT(dot_plain)
#if defined(__x86_64__)
__attribute__((target("avx2"))) DOT(dot_avx2) __attribute__((target("avx512f,avx512bw"))) DOT(dot_avx512)
#endif

    static float dot(const float *x, const unsigned char *w, int n, size_t ahead)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) {
        return dot_avx512(x, w, n, ahead);
    }
    if (__builtin_cpu_supports("avx2")) {
        return dot_avx2(x, w, n, ahead);
    }
#endif
    return dot_plain(x, w, n, ahead);
}

void widened_dot_rows(float *y, const float *x, const struct tensor *w, size_t ahead)
{
    const unsigned char *weights = w->data;
    for (int o = 0; o < w->rows; o++) {
        y[o] = dot(x, weights + 2 * (size_t)o * (size_t)w->cols, w->cols, ahead);
    }
}
