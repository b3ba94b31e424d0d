#include "tests/bench/roofs.h"

#include <stdint.h>
#include <time.h>

double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- Reading ---- */

enum { LINE = 64, AT_ONCE = 8, PIECE = 1 << 19 };

typedef uint64_t line __attribute__((vector_size(64), aligned(1))); /* the compiler splits it where it must */

/* Eight sums, so that no addition waits for another; ahead in bytes, 0: no prefetch. */
#define READER(name)                                                                                         \
    static uint64_t name(const unsigned char *from, size_t n_bytes, size_t ahead)                            \
    {                                                                                                        \
        line sum[AT_ONCE] = {{0}};                                                                           \
        for (size_t i = 0; i + (size_t)AT_ONCE * LINE <= n_bytes; i += (size_t)AT_ONCE * LINE) {             \
            _Pragma("GCC unroll 8") for (int j = 0; j < AT_ONCE; j++)                                        \
            {                                                                                                \
                const unsigned char *address = from + i + (size_t)j * LINE;                                  \
                if (ahead > 0) {                                                                             \
                    __builtin_prefetch(address + ahead);                                                     \
                }                                                                                            \
                sum[j] += *(const line *)(const void *)address;                                              \
            }                                                                                                \
        }                                                                                                    \
        uint64_t total = 0;                                                                                  \
        for (int j = 0; j < AT_ONCE; j++) {                                                                  \
            for (int lane = 0; lane < LINE / 8; lane++) {                                                    \
                total += sum[j][lane];                                                                       \
            }                                                                                                \
        }                                                                                                    \
        return total;                                                                                        \
    }

READER(read_plain)
#if defined(__x86_64__)
__attribute__((target("avx2"))) READER(read_avx2) __attribute__((target("avx512f"))) READER(read_avx512)
#endif

    static uint64_t read_piece(const unsigned char *from, size_t n_bytes, size_t ahead)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        return read_avx512(from, n_bytes, ahead);
    }
    if (__builtin_cpu_supports("avx2")) {
        return read_avx2(from, n_bytes, ahead);
    }
#endif
    return read_plain(from, n_bytes, ahead);
}

double roof_read(const void *bytes, size_t n_bytes, int n_threads, int probe)
{
    size_t ahead = probe == 0 ? 0 : (size_t)1024 << probe;
    long n_pieces = (long)(n_bytes / PIECE);
    uint64_t total = 0;
    double start = now();
    (void)n_threads;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) reduction(+ : total)
#endif
    for (long i = 0; i < n_pieces; i++) {
        total += read_piece((const unsigned char *)bytes + (size_t)i * PIECE, PIECE, ahead);
    }
    volatile uint64_t used = total;
    (void)used;
    return (now() - start) * (double)n_bytes / ((double)n_pieces * PIECE);
}

/* ---- Multiplying ---- */

enum { SUMS = 12, STEPS = 400000 };

/* A loop of SUMS independent multiply-and-adds; the empty assembly keeps the compiler from simplifying it. Returns the
 * operations of one step. */
#define MULTIPLY_LOOP(vector, init, step, constraint)                                                        \
    vector sum[SUMS];                                                                                        \
    _Pragma("GCC unroll 12") for (int i = 0; i < SUMS; i++) sum[i] = (init);                                 \
    for (long k = 0; k < n_steps; k++) {                                                                     \
        _Pragma("GCC unroll 12") for (int i = 0; i < SUMS; i++)                                              \
        {                                                                                                    \
            (step);                                                                                          \
            __asm__ volatile("" : "+" constraint(sum[i]));                                                   \
        }                                                                                                    \
    }

struct multiplier {
    const char *name;
    int is_bf16;
    int (*usable)(void);
    double flops_per_step;
    void (*run)(long n_steps);
};

#if defined(__x86_64__)

#include <immintrin.h>

static int has_sse2(void)
{
    return 1;
}

static int has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}

static int has_avx512bf16(void)
{
    return __builtin_cpu_supports("avx512bf16");
}

static void run_sse2(long n_steps)
{
    __m128 factor = _mm_set1_ps(0.999F);
    MULTIPLY_LOOP(__m128, factor, sum[i] = _mm_add_ps(_mm_mul_ps(sum[i], factor), factor), "x")
}

__attribute__((target("avx2,fma"))) static void run_avx2(long n_steps)
{
    __m256 factor = _mm256_set1_ps(0.999F);
    MULTIPLY_LOOP(__m256, factor, sum[i] = _mm256_fmadd_ps(sum[i], factor, factor), "x")
}

__attribute__((target("avx512f"))) static void run_avx512(long n_steps)
{
    __m512 factor = _mm512_set1_ps(0.999F);
    MULTIPLY_LOOP(__m512, factor, sum[i] = _mm512_fmadd_ps(sum[i], factor, factor), "v")
}

__attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16"))) static void run_avx512bf16(long n_steps)
{
    __m512 one = _mm512_set1_ps(1.0F);
    __m512bh pair = _mm512_cvtne2ps_pbh(one, one);
    MULTIPLY_LOOP(__m512, one, sum[i] = _mm512_dpbf16_ps(sum[i], pair, pair), "v")
}

static const struct multiplier multipliers[] = {
    {"sse2", 0, has_sse2, SUMS * 4 * 2, run_sse2},
    {"avx2", 0, has_avx2, SUMS * 8 * 2, run_avx2},
    {"avx512", 0, has_avx512, SUMS * 16 * 2, run_avx512},
    {"avx512bf16", 1, has_avx512bf16, SUMS * 32 * 2, run_avx512bf16},
};

#elif defined(__aarch64__)

#include <arm_neon.h>

static int has_neon(void)
{
    return 1;
}

static void run_neon(long n_steps)
{
    float32x4_t factor = vdupq_n_f32(0.999F);
    MULTIPLY_LOOP(float32x4_t, factor, sum[i] = vfmaq_f32(factor, sum[i], factor), "w")
}

static const struct multiplier multipliers[] = {{"neon", 0, has_neon, SUMS * 4 * 2, run_neon}};

#else

static int has_portable(void)
{
    return 1;
}

static void run_portable(long n_steps)
{
    float factor = 0.999F;
    MULTIPLY_LOOP(float, factor, sum[i] = sum[i] * factor + factor, "m")
}

static const struct multiplier multipliers[] = {{"portable", 0, has_portable, SUMS * 2, run_portable}};

#endif

static const struct multiplier *find(int index)
{
    for (size_t i = 0; i < sizeof multipliers / sizeof *multipliers; i++) {
        if (multipliers[i].usable() && index-- == 0) {
            return &multipliers[i];
        }
    }
    return NULL;
}

const char *roof_multiply_name(int i)
{
    const struct multiplier *multiplier = find(i);
    return multiplier == NULL ? NULL : multiplier->name;
}

int roof_multiply_is_bf16(int i)
{
    return find(i)->is_bf16;
}

double roof_multiply(int i, int n_threads)
{
    const struct multiplier *multiplier = find(i);
    double start = now();
#ifdef _OPENMP
#pragma omp parallel num_threads(n_threads)
#endif
    multiplier->run(STEPS);
    return multiplier->flops_per_step * STEPS * n_threads / (now() - start);
}
