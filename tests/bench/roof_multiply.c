#include "tests/bench/roofs.h"

enum { SUMS = 12, STEPS = 3000000 };

/* A loop of SUMS independent multiply-and-adds: enough to cover the time that one takes. The empty assembly keeps the
 * sums in registers and the compiler from leaving anything out. */
#define MULTIPLY_LOOP(vector, init, step, constraint)                                                        \
    vector sum[SUMS];                                                                                        \
    _Pragma("GCC unroll 12") for (int i = 0; i < SUMS; i++) sum[i] = (init);                                 \
    for (long k = 0; k < n_steps; k++) {                                                                     \
        _Pragma("GCC unroll 12") for (int i = 0; i < SUMS; i++)                                              \
        {                                                                                                    \
            step;                                                                                            \
            __asm__ volatile("" : "+" constraint(sum[i]));                                                   \
        }                                                                                                    \
    }

struct multiplier {
    const char *name;
    bool is_bf16;
    bool (*usable)(void);
    double flops_per_step;
    void (*run)(long n_steps);
};

#if defined(__x86_64__)

#include <immintrin.h>

static bool has_sse2(void)
{
    return true;
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
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

#if defined(__clang__) || __GNUC__ >= 10
static bool has_avx512bf16(void)
{
    return __builtin_cpu_supports("avx512bf16");
}

__attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16"))) static void run_avx512bf16(long n_steps)
{
    __m512 one = _mm512_set1_ps(1.0F);
    __m512bh pair = _mm512_cvtne2ps_pbh(one, one);
    MULTIPLY_LOOP(__m512, one, sum[i] = _mm512_dpbf16_ps(sum[i], pair, pair), "v")
}

#endif

static const struct multiplier multipliers[] = {
    {"sse2", false, has_sse2, SUMS * 4 * 2, run_sse2},
    {"avx2", false, has_avx2, SUMS * 8 * 2, run_avx2},
    {"avx512", false, has_avx512, SUMS * 16 * 2, run_avx512},
#if defined(__clang__) || __GNUC__ >= 10
    {"avx512", true, has_avx512bf16, SUMS * 32 * 2, run_avx512bf16},
#endif
};

#elif defined(__aarch64__)

#include <arm_neon.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

static bool has_neon(void)
{
    return true;
}

static bool has_bf16(void)
{
#ifdef __linux__
    return (getauxval(AT_HWCAP2) >> 14 & 1) != 0; /* HWCAP2_BF16 */
#else
    return false;
#endif
}

static void run_neon(long n_steps)
{
    float32x4_t factor = vdupq_n_f32(0.999F);
    MULTIPLY_LOOP(float32x4_t, factor, sum[i] = vfmaq_f32(factor, sum[i], factor), "w")
}

/* In assembly, so that the compiler need not know the instructions. */
#define BF16_STEP(instruction)                                                                               \
    __asm__ volatile(".arch_extension bf16\n\t" instruction " %0.4s, %1.8h, %1.8h" : "+w"(sum[i]) : "w"(one))

static void run_bfdot(long n_steps)
{
    const uint16x8_t one = vdupq_n_u16(0x3f80);
    MULTIPLY_LOOP(float32x4_t, vdupq_n_f32(0), BF16_STEP("bfdot"), "w")
}

static void run_bfmmla(long n_steps)
{
    const uint16x8_t one = vdupq_n_u16(0x3f80);
    MULTIPLY_LOOP(float32x4_t, vdupq_n_f32(0), BF16_STEP("bfmmla"), "w")
}

static const struct multiplier multipliers[] = {
    {"neon", false, has_neon, SUMS * 4 * 2, run_neon},
    {"bfdot", true, has_bf16, SUMS * 8 * 2, run_bfdot},
    {"bfmmla", true, has_bf16, SUMS * 16 * 2, run_bfmmla},
};

#else

static bool has_portable(void)
{
    return true;
}

/* What the compiler makes of a plain loop; it may not change the order of the operations. */
static void run_portable(long n_steps)
{
    float sum[SUMS] = {0};
    for (long k = 0; k < n_steps; k++) {
        for (int i = 0; i < SUMS; i++) {
            sum[i] = sum[i] * 0.999F + 0.999F;
        }
    }
    for (int i = 0; i < SUMS; i++) {
        volatile float used = sum[i];
        (void)used;
    }
}

static const struct multiplier multipliers[] = {
    {"portable", false, has_portable, SUMS * 2, run_portable},
};

#endif

/* Of another file, so that it can have flags of its own. */
static struct multiplier amx(void)
{
    return (struct multiplier){"amx", true, roof_amx_usable, roof_amx_flops, roof_amx_run};
}

/* The name is NULL when there are not so many. */
static struct multiplier find(int index)
{
    for (size_t i = 0; i < sizeof multipliers / sizeof *multipliers; i++) {
        if (multipliers[i].usable() && index-- == 0) {
            return multipliers[i];
        }
    }
    return roof_amx_usable() && index == 0 ? amx() : (struct multiplier){.name = NULL};
}

const char *roof_multiply_name(int i)
{
    return find(i).name;
}

bool roof_multiply_is_bf16(int i)
{
    return find(i).is_bf16;
}

double roof_multiply(int i, int n_threads)
{
    const struct multiplier multiplier = find(i);
    const long n_steps = multiplier.run == roof_amx_run ? STEPS / 8 : STEPS; /* its steps are longer */
    double start = now();
    (void)n_threads;
#ifdef _OPENMP
#pragma omp parallel num_threads(n_threads)
#endif
    multiplier.run(n_steps);
    return multiplier.flops_per_step * (double)n_steps * n_threads / (now() - start);
}
