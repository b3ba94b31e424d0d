/* The AVX-512 kernel: vectors of 16 float32, 32 registers.
 *
 * few: one dot product per output. A row of W is read from front to back, 16 weights at a time widened in registers:
 *
 *     bfloat16   16 x 16 bits --zero-extend--> 16 x 32 bits --shift left 16--> 16 float32
 *
 * With several tokens, four rows and up to six tokens share their loads: 24 vectors of sums.
 *
 * many: a tile of 14 tokens x 32 rows. For each k two vectors of weights and 14 broadcast activations feed 28
 * multiplications; 28 sums, two weights and one activation are 31 of the 32 registers.
 *
 *                   w[0..15, k]   w[16..31, k]
 *     x[0, k]  ->   sum[0][0]     sum[0][1]
 *     x[1, k]  ->   sum[1][0]     sum[1][1]
 *      …
 *     x[13, k] ->   sum[13][0]    sum[13][1]                                                                        */
#include "common/matmul_kernels.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)

#include <immintrin.h>

enum { LANES = 16, TILE_TOKENS = 14, TILE_ROWS = 32, FEW_TOKENS = 6, FEW_ROWS = 4, PREFETCH = 4096 };

#define INLINE static inline __attribute__((always_inline))
/* Loops over registers must be unrolled whole, or the sums live in memory: compilers do not see that by themselves. */
#define UNROLL _Pragma("GCC unroll 32")

static bool usable(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}

/* ---- Weights ---- */

INLINE __mmask16 first_lanes(int n)
{
    return n >= LANES ? (__mmask16)0xffff : (__mmask16)((1u << n) - 1);
}

/* The lanes of mask from 16 weights, as float32; the others 0, and not read. */
INLINE __m512 load_weights(const unsigned char *from, enum dtype dtype, __mmask16 mask)
{
    if (dtype == DTYPE_F32) {
        return _mm512_maskz_loadu_ps(mask, from);
    }
    __m256i half = _mm256_maskz_loadu_epi16(mask, from);
    if (dtype == DTYPE_F16) {
        return _mm512_cvtph_ps(half);
    }
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16));
}

/* ---- Few tokens ---- */

/* One row and one token, from front to back: eight sums, so that none waits for another. */
INLINE float few_row(const enum dtype dtype, const float *x, const unsigned char *w, int cols)
{
    enum { SUMS = 8, STEP = SUMS * LANES };
    const size_t size = dtype == DTYPE_F32 ? 4 : 2;
    __m512 sum[SUMS];
    UNROLL for (int j = 0; j < SUMS; j++)
    {
        sum[j] = _mm512_setzero_ps();
    }
    int i = 0;
    for (; i + STEP <= cols; i += STEP) {
        UNROLL for (int j = 0; j < SUMS; j++)
        {
            const unsigned char *from = w + (size_t)(i + j * LANES) * size;
            if (j % 2 == 0 || dtype == DTYPE_F32) { /* once for each line of 64 bytes */
                _mm_prefetch((const char *)from + PREFETCH, _MM_HINT_T0);
            }
            sum[j] = _mm512_fmadd_ps(load_weights(from, dtype, 0xffff), _mm512_loadu_ps(x + i + j * LANES),
                                     sum[j]);
        }
    }
    for (; i < cols; i += LANES) {
        __mmask16 mask = first_lanes(cols - i);
        sum[0] = _mm512_fmadd_ps(load_weights(w + (size_t)i * size, dtype, mask),
                                 _mm512_maskz_loadu_ps(mask, x + i), sum[0]);
    }
    UNROLL for (int n = SUMS / 2; n > 0; n /= 2)
    {
        UNROLL for (int j = 0; j < n; j++)
        {
            sum[j] = _mm512_add_ps(sum[j], sum[j + n]);
        }
    }
    return _mm512_reduce_add_ps(sum[0]);
}

/* n_rows x n_tokens sums; dtype and both numbers are known where this is inlined. */
INLINE void few_tile(const enum dtype dtype, const int n_rows, const int n_tokens, float *y, size_t y_stride,
                     const float *bias, const float *x, size_t x_stride, const unsigned char *w,
                     const unsigned char *ahead, int cols)
{
    const size_t size = dtype == DTYPE_F32 ? 4 : 2, w_stride = (size_t)cols * size;
    __m512 sum[FEW_ROWS][FEW_TOKENS];
    UNROLL for (int r = 0; r < n_rows; r++)
    {
        UNROLL for (int t = 0; t < n_tokens; t++)
        {
            sum[r][t] = _mm512_setzero_ps();
        }
    }
    for (int i = 0; i < cols; i += LANES) {
        __mmask16 mask = first_lanes(cols - i);
        for (size_t line = 0; line < (size_t)n_rows * LANES * size; line += 64) {
            _mm_prefetch((const char *)ahead + (size_t)(i * n_rows) * size + line, _MM_HINT_T1);
        }
        __m512 weights[FEW_ROWS];
        UNROLL for (int r = 0; r < n_rows; r++)
        {
            weights[r] = load_weights(w + (size_t)r * w_stride + (size_t)i * size, dtype, mask);
        }
        UNROLL for (int t = 0; t < n_tokens; t++)
        {
            __m512 activation = _mm512_maskz_loadu_ps(mask, x + (size_t)t * x_stride + i);
            UNROLL for (int r = 0; r < n_rows; r++)
            {
                sum[r][t] = _mm512_fmadd_ps(weights[r], activation, sum[r][t]);
            }
        }
    }
    UNROLL for (int t = 0; t < n_tokens; t++)
    {
        UNROLL for (int r = 0; r < n_rows; r++)
        {
            y[(size_t)t * y_stride + (size_t)r] = bias[r] + _mm512_reduce_add_ps(sum[r][t]);
        }
    }
}

INLINE void few_of(const enum dtype dtype, float *y, size_t y_stride, const float *bias, const float *x,
                   size_t x_stride, const unsigned char *w, const unsigned char *ahead, int cols, int n_rows,
                   int n_tokens)
{
    if (n_rows == 1 && n_tokens == 1) {
        y[0] = bias[0] + few_row(dtype, x, w, cols);
        return;
    }
#define TILE(n)                                                                                              \
    case n:                                                                                                  \
        if (n_rows == FEW_ROWS) {                                                                            \
            few_tile(dtype, FEW_ROWS, n, y, y_stride, bias, x, x_stride, w, ahead, cols);                    \
        } else {                                                                                             \
            few_tile(dtype, 1, n, y, y_stride, bias, x, x_stride, w, ahead, cols);                           \
        }                                                                                                    \
        break;
    switch (n_tokens) {
        TILE(1) TILE(2) TILE(3) TILE(4) TILE(5) TILE(6)
    }
#undef TILE
}

static void few_multiply(float *y, size_t y_stride, const float *bias, const float *x, size_t x_stride,
                         const unsigned char *w, const unsigned char *ahead, enum dtype dtype, int cols,
                         int n_rows, int n_tokens)
{
#define OF(type)                                                                                             \
    case type: few_of(type, y, y_stride, bias, x, x_stride, w, ahead, cols, n_rows, n_tokens); break;
    switch (dtype) {
        OF(DTYPE_F32) OF(DTYPE_BF16) OF(DTYPE_F16)
    }
#undef OF
}

static void few(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens, int first,
                int end)
{
    static const struct matmul_stream stream = {FEW_ROWS, FEW_TOKENS, few_multiply};
    matmul_streamed(&stream, part, x, x_stride, n_tokens, first, end);
}

/* ---- Many tokens ---- */

/* 16 x 16 words of 32 bits: v[row] lane column becomes v[column] lane row. */
INLINE void transpose(__m512i v[LANES])
{
    __m512i a[LANES];
    UNROLL for (int i = 0; i < LANES; i += 2)
    { /* rows 0 1, 2 3, … interleaved */
        a[i] = _mm512_unpacklo_epi32(v[i], v[i + 1]);
        a[i + 1] = _mm512_unpackhi_epi32(v[i], v[i + 1]);
    }
    UNROLL for (int i = 0; i < LANES; i += 4)
    { /* in each quarter of v[i + c]: column c of rows i .. i + 3 */
        v[i] = _mm512_unpacklo_epi64(a[i], a[i + 2]);
        v[i + 1] = _mm512_unpackhi_epi64(a[i], a[i + 2]);
        v[i + 2] = _mm512_unpacklo_epi64(a[i + 1], a[i + 3]);
        v[i + 3] = _mm512_unpackhi_epi64(a[i + 1], a[i + 3]);
    }
    UNROLL for (int i = 0; i < 4; i++)
    { /* columns i, 4 + i, 8 + i, 12 + i: transpose 4 x 4 quarters */
        __m512i low01 = _mm512_shuffle_i32x4(v[i], v[4 + i], 0x44),
                high01 = _mm512_shuffle_i32x4(v[i], v[4 + i], 0xee);
        __m512i low23 = _mm512_shuffle_i32x4(v[8 + i], v[12 + i], 0x44);
        __m512i high23 = _mm512_shuffle_i32x4(v[8 + i], v[12 + i], 0xee);
        a[i] = _mm512_shuffle_i32x4(low01, low23, 0x88);
        a[4 + i] = _mm512_shuffle_i32x4(low01, low23, 0xdd);
        a[8 + i] = _mm512_shuffle_i32x4(high01, high23, 0x88);
        a[12 + i] = _mm512_shuffle_i32x4(high01, high23, 0xdd);
    }
    UNROLL for (int i = 0; i < LANES; i++)
    {
        v[i] = a[i];
    }
}

/* The lower or upper 16 bits of every word, as float32. */
INLINE __m512 widen_lower(__m512i words, enum dtype dtype)
{
    return dtype == DTYPE_F16 ? _mm512_cvtph_ps(_mm512_cvtepi32_epi16(words))
                              : _mm512_castsi512_ps(_mm512_slli_epi32(words, 16));
}

INLINE __m512 widen_upper(__m512i words, enum dtype dtype)
{
    return dtype == DTYPE_F16
               ? _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_srli_epi32(words, 16)))
               : _mm512_castsi512_ps(_mm512_and_si512(words, _mm512_set1_epi32((int)0xffff0000)));
}

/* Transposes words of 32 bits: one float32, or two neighbours of 16 bits, which are told apart afterwards. */
INLINE void pack_of(const enum dtype dtype, float *panel, const struct tensor *w, int first, int from,
                    int depth)
{
    const size_t size = dtype == DTYPE_F32 ? 4 : 2, stride = (size_t)w->cols * size;
    const int step = dtype == DTYPE_F32 ? LANES : 2 * LANES;
    for (int half = 0; half < TILE_ROWS; half += LANES) {
        const unsigned char *start = matmul_address(w, first + half, from);
        int n_rows = w->rows - first - half;
        for (int k = 0; k < depth; k += step) {
            __mmask32 mask = depth - k >= step ? 0xffffffff : (1u << (depth - k)) - 1;
            __m512i v[LANES];
            UNROLL for (int i = 0; i < LANES; i++)
            {
                const unsigned char *row = start + (size_t)i * stride + (size_t)k * size;
                _mm_prefetch((const char *)row + 256, _MM_HINT_T0);
                v[i] = i >= n_rows          ? _mm512_setzero_si512()
                       : dtype == DTYPE_F32 ? _mm512_maskz_loadu_epi32((__mmask16)mask, row)
                                            : _mm512_maskz_loadu_epi16(mask, row);
            }
            transpose(v);
            float *out = panel + k * TILE_ROWS + half;
            UNROLL for (int i = 0; i < LANES; i++)
            {
                if (dtype == DTYPE_F32) {
                    _mm512_store_ps(out + i * TILE_ROWS, _mm512_castsi512_ps(v[i]));
                } else {
                    _mm512_store_ps(out + 2 * i * TILE_ROWS, widen_lower(v[i], dtype));
                    _mm512_store_ps(out + (2 * i + 1) * TILE_ROWS, widen_upper(v[i], dtype));
                }
            }
        }
    }
}

static void pack(float *panel, const struct tensor *w, int first, int from, int depth)
{
    switch (w->dtype) {
    case DTYPE_F32: pack_of(DTYPE_F32, panel, w, first, from, depth); break;
    case DTYPE_BF16: pack_of(DTYPE_BF16, panel, w, first, from, depth); break;
    case DTYPE_F16: pack_of(DTYPE_F16, panel, w, first, from, depth); break;
    }
}

INLINE void many_tile(const int n_tokens, float *y, size_t y_stride, const float *bias, const float *x,
                      const float *panel, int depth, int n_rows)
{
    __m512 sum[TILE_TOKENS][2];
    UNROLL for (int t = 0; t < n_tokens; t++)
    {
        sum[t][0] = sum[t][1] = _mm512_setzero_ps();
    }
    for (int k = 0; k < depth; k++) {
        __m512 w0 = _mm512_load_ps(panel + k * TILE_ROWS);
        __m512 w1 = _mm512_load_ps(panel + k * TILE_ROWS + LANES);
        UNROLL for (int t = 0; t < n_tokens; t++)
        {
            __m512 activation = _mm512_set1_ps(x[t * MATMUL_X_STRIDE + k]);
            sum[t][0] = _mm512_fmadd_ps(w0, activation, sum[t][0]);
            sum[t][1] = _mm512_fmadd_ps(w1, activation, sum[t][1]);
        }
    }
    __mmask16 mask0 = first_lanes(n_rows), mask1 = n_rows > LANES ? first_lanes(n_rows - LANES) : 0;
    UNROLL for (int t = 0; t < n_tokens; t++)
    {
        float *y_t = y + (size_t)t * y_stride;
        const float *start = bias != NULL ? bias : y_t;
        __m512 y0 = _mm512_maskz_loadu_ps(mask0, start), y1 = _mm512_maskz_loadu_ps(mask1, start + LANES);
        _mm512_mask_storeu_ps(y_t, mask0, _mm512_add_ps(y0, sum[t][0]));
        _mm512_mask_storeu_ps(y_t + LANES, mask1, _mm512_add_ps(y1, sum[t][1]));
    }
}

static void many_multiply(float *y, size_t y_stride, const float *bias, const float *x, const float *panel,
                          int depth, int n_tokens, int n_rows)
{
#define TILE(n)                                                                                              \
    case n: many_tile(n, y, y_stride, bias, x, panel, depth, n_rows); break;
    switch (n_tokens) {
        TILE(1)
        TILE(2)
        TILE(3)
        TILE(4)
        TILE(5) TILE(6) TILE(7) TILE(8) TILE(9) TILE(10) TILE(11) TILE(12) TILE(13) default
            : many_tile(TILE_TOKENS, y, y_stride, bias, x, panel, depth, n_rows);
        break;
    }
#undef TILE
}

static void many(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens, int first,
                 int end)
{
    static const struct matmul_tile tile = {TILE_TOKENS, TILE_ROWS, pack, many_multiply};
    matmul_blocked(&tile, part, x, x_stride, n_tokens, first, end);
}

/* ---- Vectors ---- */

static float dot(const float *a, const float *b, int n)
{
    __m512 sum[4] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps()};
    int i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES) {
        UNROLL for (int j = 0; j < 4; j++)
        {
            sum[j] = _mm512_fmadd_ps(_mm512_loadu_ps(a + i + j * LANES), _mm512_loadu_ps(b + i + j * LANES),
                                     sum[j]);
        }
    }
    for (; i < n; i += LANES) {
        __mmask16 mask = first_lanes(n - i);
        sum[0] =
            _mm512_fmadd_ps(_mm512_maskz_loadu_ps(mask, a + i), _mm512_maskz_loadu_ps(mask, b + i), sum[0]);
    }
    return _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(sum[0], sum[1]), _mm512_add_ps(sum[2], sum[3])));
}

static void add_scaled(float *y, float scale, const float *x, int n)
{
    __m512 factor = _mm512_set1_ps(scale);
    for (int i = 0; i < n; i += LANES) {
        __mmask16 mask = first_lanes(n - i);
        __m512 sum =
            _mm512_fmadd_ps(factor, _mm512_maskz_loadu_ps(mask, x + i), _mm512_maskz_loadu_ps(mask, y + i));
        _mm512_mask_storeu_ps(y + i, mask, sum);
    }
}

const struct matmul_kernel matmul_avx512 = {.name = "avx512",
                                            .built_in = true,
                                            .usable = usable,
                                            .n_few = 16,
                                            .few = few,
                                            .many = many,
                                            .dot = dot,
                                            .add_scaled = add_scaled};

#else

const struct matmul_kernel matmul_avx512 = {.name = "avx512"};

#endif
