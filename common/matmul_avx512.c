/* The AVX-512 kernel: vectors of 16 float32, 32 registers, multiply and add in one instruction (FMA).
 *
 * few, 5 to 8 tokens: a tile of 4 rows x 6 tokens. 24 sums, 6 activations and a weight are 31 of the 32 registers. 9 to 64
 * tokens: matmul_batch.h.
 *
 * many: a tile of 14 tokens x 32 rows. For each k two vectors of weights and 14 broadcast activations feed 28
 * multiplications; 28 sums, two weights and one activation are 31 registers.
 *
 *                   w[0..15, k]   w[16..31, k]
 *     x[0, k]  ->   sum[0][0]     sum[0][1]
 *     x[1, k]  ->   sum[1][0]     sum[1][1]
 *      …
 *     x[13, k] ->   sum[13][0]    sum[13][1]                                                                  */
#include "common/matmul_kernels.h"
#include "common/require.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)

#include <immintrin.h>
#include <string.h>

#include "common/matmul_transpose.h"

#define LANES        16
#define FEW_ROWS     4
#define FEW_TOKENS   6
#define TILE_TOKENS  14
#define TILE_VECTORS 2

typedef __m512 vector;

static bool usable(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}

INLINE vector zero(void)
{
    return _mm512_setzero_ps();
}

INLINE vector broadcast(float value)
{
    return _mm512_set1_ps(value);
}

/* Keeps a value in a register where the compiler would rather load it again for each of its uses. */
INLINE void keep(vector *v)
{
    __asm__("" : "+v"(*v));
}

INLINE vector add(vector a, vector b)
{
    return _mm512_add_ps(a, b);
}

INLINE vector multiply_add(vector a, vector b, vector sum)
{
    return _mm512_fmadd_ps(a, b, sum);
}

INLINE vector maximum(vector a, vector b)
{
    return _mm512_max_ps(a, b);
}

INLINE vector minimum(vector a, vector b)
{
    return _mm512_min_ps(a, b);
}

INLINE vector divide(vector a, vector b)
{
    return _mm512_div_ps(a, b);
}

INLINE vector nearest(vector v)
{
    return _mm512_roundscale_ps(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

INLINE vector power_of_two(vector v)
{
    __m512i exponent = _mm512_add_epi32(_mm512_cvtps_epi32(v), _mm512_set1_epi32(127));
    return _mm512_castsi512_ps(_mm512_slli_epi32(exponent, 23));
}

INLINE float add_lanes(vector v)
{
    return _mm512_reduce_add_ps(v);
}

INLINE vector load(const float *from)
{
    return _mm512_loadu_ps(from);
}

INLINE void store(float *to, vector v)
{
    _mm512_storeu_ps(to, v);
}

INLINE __mmask16 first(int n)
{
    return (__mmask16)((1u << n) - 1);
}

INLINE vector load_first(const float *from, int n)
{
    return _mm512_maskz_loadu_ps(first(n), from);
}

INLINE void store_first(float *to, vector v, int n)
{
    _mm512_mask_storeu_ps(to, first(n), v);
}

/* bfloat16: 16 x 16 bits --extend with zeros--> 16 x 32 bits --shift left by 16--> 16 float32 */
INLINE vector widen(__m256i half, enum dtype dtype)
{
    return dtype == DTYPE_F16 ? _mm512_cvtph_ps(half)
                              : _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16));
}

INLINE vector load_weights(const unsigned char *from, enum dtype dtype)
{
    return dtype == DTYPE_F32 ? _mm512_loadu_ps(from)
                              : widen(_mm256_loadu_si256((const __m256i *)(const void *)from), dtype);
}

INLINE vector load_first_weights(const unsigned char *from, enum dtype dtype, int n)
{
    return dtype == DTYPE_F32 ? _mm512_maskz_loadu_ps(first(n), from)
                              : widen(_mm256_maskz_loadu_epi16(first(n), from), dtype);
}

/* Of 16 pairs of bfloat16, the first of each and the second of each. */
INLINE vector load_even(const unsigned char *from)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_loadu_si512(from), 16));
}

INLINE vector load_odd(const unsigned char *from)
{
    __m512i upper = _mm512_set1_epi32((int)0xffff0000);
    return _mm512_castsi512_ps(_mm512_and_si512(_mm512_loadu_si512(from), upper));
}

/* Lanes 0, 2, 4 … and 1, 3, 5 … of a and then b. */
INLINE vector even_lanes(vector a, vector b)
{
    const __m512i index = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    return _mm512_permutex2var_ps(a, index, b);
}

INLINE vector odd_lanes(vector a, vector b)
{
    const __m512i index = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
    return _mm512_permutex2var_ps(a, index, b);
}

/* The sums of the lanes of four vectors. */
INLINE void add_lanes_4(float sums[4], vector a, vector b, vector c, vector d)
{
    vector ab =
        _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b)); /* a b a b in each quarter */
    vector cd = _mm512_add_ps(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
    vector quarters = _mm512_add_ps(_mm512_shuffle_ps(ab, cd, 0x44), _mm512_shuffle_ps(ab, cd, 0xee));
    __m256 halves = _mm256_add_ps(_mm512_castps512_ps256(quarters), _mm512_extractf32x8_ps(quarters, 1));
    _mm_storeu_ps(sums, _mm_add_ps(_mm256_castps256_ps128(halves), _mm256_extractf128_ps(halves, 1)));
}

INLINE void transpose(vector v[LANES])
{
    __m512i words[LANES];
    UNROLL
    for (int i = 0; i < LANES; i++) {
        words[i] = _mm512_castps_si512(v[i]);
    }
    transpose_words(words);
    UNROLL
    for (int i = 0; i < LANES; i++) {
        v[i] = _mm512_castsi512_ps(words[i]);
    }
}

/* group neighbouring floats, again and again. */
INLINE vector broadcast_group(const float *from, const int group)
{
    return group == 1 ? _mm512_set1_ps(*from)
           : group == 2
               ? _mm512_castpd_ps(_mm512_broadcastsd_pd(_mm_load_sd((const double *)(const void *)from)))
               : _mm512_broadcast_f32x4(_mm_loadu_ps(from));
}

#include "common/matmul_vector.h"

#include "common/matmul_batch.h" /* after the few */

#include "common/matmul_elements.h" /* after the vector */

const struct matmul_kernel matmul_avx512 = {.name = "avx512",
                                            .built_in = true,
                                            .usable = usable,
                                            .n_few = 64,
                                            .few = few_or_batch,
                                            .many = many,
                                            .dot = dot,
                                            .add_scaled = add_scaled,
                                            .score_few = score_few,
                                            .add_mixed = add_mixed,
                                            .largest = largest,
                                            .exp_sum = exp_sum,
                                            .silu_multiply = silu_multiply};

#else

const struct matmul_kernel matmul_avx512 = {.name = "avx512"};

#endif
