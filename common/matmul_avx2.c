/* The AVX2 kernel: vectors of 8 float32, 16 registers, multiply and add in one instruction (FMA).
 *
 * few, 5 to 64 tokens: a tile of 4 rows x 3 tokens. 12 sums, 3 activations and a weight are all 16 registers.
 *
 * many: a tile of 6 tokens x 16 rows. For each k two vectors of weights and 6 broadcast activations feed 12
 * multiplications; 12 sums, two weights and one activation are 15 registers.
 *
 *                  w[0..7, k]   w[8..15, k]
 *     x[0, k] ->   sum[0][0]    sum[0][1]
 *      …
 *     x[5, k] ->   sum[5][0]    sum[5][1]                                                                     */
#include "common/matmul_kernels.h"

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)

#include <immintrin.h>
#include <string.h>

#define LANES        8
#define FEW_ROWS     4
#define FEW_TOKENS   3
#define TILE_TOKENS  6
#define TILE_VECTORS 2

typedef __m256 vector;

static bool usable(void)
{
    /* Also needs F16C, which every CPU with AVX2 has; clang 14 cannot ask for it. */
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

INLINE vector zero(void)
{
    return _mm256_setzero_ps();
}

INLINE vector broadcast(float value)
{
    return _mm256_set1_ps(value);
}

INLINE void keep(vector *v)
{
    (void)v; /* 16 registers are too few for more than the sums: the compiler chooses */
}

INLINE vector add(vector a, vector b)
{
    return _mm256_add_ps(a, b);
}

INLINE vector multiply_add(vector a, vector b, vector sum)
{
    return _mm256_fmadd_ps(a, b, sum);
}

INLINE vector maximum(vector a, vector b)
{
    return _mm256_max_ps(a, b);
}

INLINE vector minimum(vector a, vector b)
{
    return _mm256_min_ps(a, b);
}

INLINE vector divide(vector a, vector b)
{
    return _mm256_div_ps(a, b);
}

INLINE vector nearest(vector v)
{
    return _mm256_round_ps(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

INLINE vector power_of_two(vector v)
{
    __m256i exponent = _mm256_add_epi32(_mm256_cvtps_epi32(v), _mm256_set1_epi32(127));
    return _mm256_castsi256_ps(_mm256_slli_epi32(exponent, 23));
}

INLINE float add_lanes(vector v)
{
    __m128 half = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    half = _mm_add_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
}

INLINE vector load(const float *from)
{
    return _mm256_loadu_ps(from);
}

INLINE void store(float *to, vector v)
{
    _mm256_storeu_ps(to, v);
}

static vector load_first(const float *from, int n)
{
    float values[LANES] = {0};
    memcpy(values, from, (size_t)n * sizeof *from);
    return load(values);
}

static void store_first(float *to, vector v, int n)
{
    float values[LANES];
    store(values, v);
    memcpy(to, values, (size_t)n * sizeof *to);
}

/* bfloat16: 8 x 16 bits --extend with zeros--> 8 x 32 bits --shift left by 16--> 8 float32 */
INLINE vector load_weights(const unsigned char *from, enum dtype dtype)
{
    if (dtype == DTYPE_F32) {
        return _mm256_castsi256_ps(_mm256_loadu_si256((const __m256i *)(const void *)from));
    }
    __m128i half = _mm_loadu_si128((const __m128i *)(const void *)from);
    return dtype == DTYPE_F16 ? _mm256_cvtph_ps(half)
                              : _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16));
}

static vector load_first_weights(const unsigned char *from, enum dtype dtype, int n)
{
    unsigned char bytes[LANES * sizeof(float)] = {0};
    memcpy(bytes, from, (size_t)n * (dtype == DTYPE_F32 ? 4 : 2));
    return load_weights(bytes, dtype);
}

/* Of 8 pairs of bfloat16, the first of each and the second of each. */
INLINE vector load_even(const unsigned char *from)
{
    return _mm256_castsi256_ps(
        _mm256_slli_epi32(_mm256_loadu_si256((const __m256i *)(const void *)from), 16));
}

INLINE vector load_odd(const unsigned char *from)
{
    __m256i upper = _mm256_set1_epi32((int)0xffff0000);
    return _mm256_castsi256_ps(
        _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)from), upper));
}

/* Lanes 0, 2, 4 … and 1, 3, 5 … of a and then b. */
INLINE vector even_lanes(vector a, vector b)
{
    __m256d mixed = _mm256_castps_pd(_mm256_shuffle_ps(a, b, 0x88)); /* a b a b, two lanes each */
    return _mm256_castpd_ps(_mm256_permute4x64_pd(mixed, 0xd8));
}

INLINE vector odd_lanes(vector a, vector b)
{
    __m256d mixed = _mm256_castps_pd(_mm256_shuffle_ps(a, b, 0xdd));
    return _mm256_castpd_ps(_mm256_permute4x64_pd(mixed, 0xd8));
}

/* The sums of the lanes of four vectors. */
INLINE void add_lanes_4(float sums[4], vector a, vector b, vector c, vector d)
{
    vector halves = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d)); /* a b c d in each half */
    _mm_storeu_ps(sums, _mm_add_ps(_mm256_castps256_ps128(halves), _mm256_extractf128_ps(halves, 1)));
}

INLINE void transpose(vector v[LANES])
{
    vector a[LANES];
#pragma GCC unroll 8
    for (int i = 0; i < LANES; i += 2) { /* rows 0 1, 2 3, … interleaved */
        a[i] = _mm256_unpacklo_ps(v[i], v[i + 1]);
        a[i + 1] = _mm256_unpackhi_ps(v[i], v[i + 1]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < LANES; i += 4) { /* v[i + c]: columns c and 4 + c of rows i .. i + 3 */
        v[i] = _mm256_shuffle_ps(a[i], a[i + 2], 0x44);
        v[i + 1] = _mm256_shuffle_ps(a[i], a[i + 2], 0xee);
        v[i + 2] = _mm256_shuffle_ps(a[i + 1], a[i + 3], 0x44);
        v[i + 3] = _mm256_shuffle_ps(a[i + 1], a[i + 3], 0xee);
    }
#pragma GCC unroll 8
    for (int i = 0; i < LANES / 2; i++) { /* the same with halves of a vector in place of lanes */
        a[i] = _mm256_permute2f128_ps(v[i], v[4 + i], 0x20);
        a[4 + i] = _mm256_permute2f128_ps(v[i], v[4 + i], 0x31);
    }
#pragma GCC unroll 8
    for (int i = 0; i < LANES; i++) {
        v[i] = a[i];
    }
}

#include "common/matmul_vector.h"

#include "common/matmul_elements.h" /* after the vector */

const struct matmul_kernel matmul_avx2 = {.name = "avx2",
                                          .built_in = true,
                                          .usable = usable,
                                          .n_few = 64,
                                          .few = few,
                                          .many = many,
                                          .dot = dot,
                                          .add_scaled = add_scaled,
                                          .score_few = score_few,
                                          .add_mixed = add_mixed,
                                          .largest = largest,
                                          .exp_sum = exp_sum,
                                          .silu_multiply = silu_multiply};

#else

const struct matmul_kernel matmul_avx2 = {.name = "avx2"};

#endif
