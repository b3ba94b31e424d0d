/* matmul_transpose.h: 16 vectors of 16 words become their own columns; a word is a pair of bfloat16 or a float32.
 * Introduced in chapter 4. Included by the kernels of AVX-512 and AMX. */
#ifndef COMMON_MATMUL_TRANSPOSE_H
#define COMMON_MATMUL_TRANSPOSE_H

#include <immintrin.h>

#include "common/matmul_kernels.h"

INLINE void transpose_words(__m512i v[16])
{
    __m512i a[16];
    UNROLL
    for (int i = 0; i < 16; i += 2) { /* rows 0 1, 2 3, … interleaved */
        a[i] = _mm512_unpacklo_epi32(v[i], v[i + 1]);
        a[i + 1] = _mm512_unpackhi_epi32(v[i], v[i + 1]);
    }
    UNROLL
    for (int i = 0; i < 16; i += 4) { /* v[i + c]: columns c, 4 + c, 8 + c, 12 + c of rows i .. i + 3 */
        v[i] = _mm512_unpacklo_epi64(a[i], a[i + 2]);
        v[i + 1] = _mm512_unpackhi_epi64(a[i], a[i + 2]);
        v[i + 2] = _mm512_unpacklo_epi64(a[i + 1], a[i + 3]);
        v[i + 3] = _mm512_unpackhi_epi64(a[i + 1], a[i + 3]);
    }
    UNROLL
    for (int i = 0; i < 4; i++) { /* the same with quarters of a vector in place of lanes */
        __m512i low01 = _mm512_shuffle_i32x4(v[i], v[4 + i], 0x44);
        __m512i high01 = _mm512_shuffle_i32x4(v[i], v[4 + i], 0xee);
        __m512i low23 = _mm512_shuffle_i32x4(v[8 + i], v[12 + i], 0x44);
        __m512i high23 = _mm512_shuffle_i32x4(v[8 + i], v[12 + i], 0xee);
        a[i] = _mm512_shuffle_i32x4(low01, low23, 0x88);
        a[4 + i] = _mm512_shuffle_i32x4(low01, low23, 0xdd);
        a[8 + i] = _mm512_shuffle_i32x4(high01, high23, 0x88);
        a[12 + i] = _mm512_shuffle_i32x4(high01, high23, 0xdd);
    }
    UNROLL
    for (int i = 0; i < 16; i++) {
        v[i] = a[i];
    }
}

#endif
