/* The NEON kernel of arm64: vectors of 4 float32, 32 registers, multiply and add in one instruction (FMA).
 *
 * few, 5 to 64 tokens: a tile of 4 rows x 4 tokens: 16 sums, 4 activations and a weight.
 *
 * many: a tile of 6 tokens x 16 rows. For each k four vectors of weights and 6 broadcast activations feed 24
 * multiplications; 24 sums, four weights and one activation are 29 of the 32 registers.
 *
 *                  w[0..3, k]   w[4..7, k]   w[8..11, k]   w[12..15, k]
 *     x[0, k] ->   sum[0][0]    sum[0][1]    sum[0][2]     sum[0][3]
 *      …
 *     x[5, k] ->   sum[5][0]    sum[5][1]    sum[5][2]     sum[5][3]                                          */
#include "common/matmul_kernels.h"

#if defined(__ARM_NEON) && defined(__aarch64__)

#include <arm_neon.h>
#include <string.h>

#define LANES        4
#define FEW_ROWS     4
#define FEW_TOKENS   4
#define TILE_TOKENS  6
#define TILE_VECTORS 4

typedef float32x4_t vector;

static bool usable(void)
{
    return true; /* every arm64 has it */
}

INLINE vector zero(void)
{
    return vdupq_n_f32(0);
}

INLINE vector broadcast(float value)
{
    return vdupq_n_f32(value);
}

/* Keeps a value in a register where the compiler would rather load it again for each of its uses. */
INLINE void keep(vector *v)
{
    __asm__("" : "+w"(*v));
}

INLINE vector add(vector a, vector b)
{
    return vaddq_f32(a, b);
}

INLINE vector multiply_add(vector a, vector b, vector sum)
{
    return vfmaq_f32(sum, a, b);
}

INLINE vector maximum(vector a, vector b)
{
    return vmaxq_f32(a, b);
}

INLINE vector minimum(vector a, vector b)
{
    return vminq_f32(a, b);
}

INLINE vector divide(vector a, vector b)
{
    return vdivq_f32(a, b);
}

INLINE vector nearest(vector v)
{
    return vrndnq_f32(v);
}

INLINE vector power_of_two(vector v)
{
    int32x4_t exponent = vaddq_s32(vcvtnq_s32_f32(v), vdupq_n_s32(127));
    return vreinterpretq_f32_s32(vshlq_n_s32(exponent, 23));
}

INLINE float add_lanes(vector v)
{
    return vaddvq_f32(v);
}

INLINE vector load(const float *from)
{
    return vld1q_f32(from);
}

INLINE void store(float *to, vector v)
{
    vst1q_f32(to, v);
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

/* Weights may lie at an odd address: bytes are loaded, then seen as something wider. */
INLINE vector load_weights(const unsigned char *from, enum dtype dtype)
{
    if (dtype == DTYPE_F32) {
        return vreinterpretq_f32_u8(vld1q_u8(from));
    }
    uint8x8_t half = vld1_u8(from);
    return dtype == DTYPE_F16 ? vcvt_f32_f16(vreinterpret_f16_u8(half))
                              : vreinterpretq_f32_u32(vshll_n_u16(vreinterpret_u16_u8(half), 16));
}

static vector load_first_weights(const unsigned char *from, enum dtype dtype, int n)
{
    unsigned char bytes[LANES * sizeof(float)] = {0};
    memcpy(bytes, from, (size_t)n * (dtype == DTYPE_F32 ? 4 : 2));
    return load_weights(bytes, dtype);
}

/* Of 4 pairs of bfloat16, the first of each and the second of each. */
INLINE vector load_even(const unsigned char *from)
{
    return vreinterpretq_f32_u32(vshlq_n_u32(vreinterpretq_u32_u8(vld1q_u8(from)), 16));
}

INLINE vector load_odd(const unsigned char *from)
{
    return vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_u8(vld1q_u8(from)), vdupq_n_u32(0xffff0000)));
}

/* Lanes 0, 2 and 1, 3 of a and then b. */
INLINE vector even_lanes(vector a, vector b)
{
    return vuzp1q_f32(a, b);
}

INLINE vector odd_lanes(vector a, vector b)
{
    return vuzp2q_f32(a, b);
}

/* The sums of the lanes of four vectors. */
INLINE void add_lanes_4(float sums[4], vector a, vector b, vector c, vector d)
{
    vst1q_f32(sums, vpaddq_f32(vpaddq_f32(a, b), vpaddq_f32(c, d)));
}

INLINE void transpose(vector v[LANES])
{
    float32x4x2_t low = vtrnq_f32(v[0], v[1]); /* columns 0 and 2 of rows 0 and 1, then columns 1 and 3 */
    float32x4x2_t high = vtrnq_f32(v[2], v[3]);
    v[0] = vcombine_f32(vget_low_f32(low.val[0]), vget_low_f32(high.val[0]));
    v[1] = vcombine_f32(vget_low_f32(low.val[1]), vget_low_f32(high.val[1]));
    v[2] = vcombine_f32(vget_high_f32(low.val[0]), vget_high_f32(high.val[0]));
    v[3] = vcombine_f32(vget_high_f32(low.val[1]), vget_high_f32(high.val[1]));
}

#include "common/matmul_vector.h"

#include "common/matmul_elements.h" /* after the vector */

const struct matmul_kernel matmul_neon = {.name = "neon",
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

const struct matmul_kernel matmul_neon = {.name = "neon"};

#endif
