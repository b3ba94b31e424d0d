/* matmul_amx_pack.h: the activations of the AMX kernel, as B tiles of one or two bfloat16 terms.
 * Introduced in chapter 4. Included by matmul_amx.c, which defines the sizes and includes matmul_transpose.h before. */
#ifndef COMMON_MATMUL_AMX_PACK_H
#define COMMON_MATMUL_AMX_PACK_H

static __m512 load_first(const float *x, int n)
{
    __mmask16 mask = n >= SIDE ? 0xffff : n > 0 ? (__mmask16)((1U << n) - 1) : 0;
    return _mm512_maskz_loadu_ps(mask, x);
}

/* 32 activations, the first 16 in low, as bfloat16 in their order. */
static __m512i rounded(__m512 low, __m512 high)
{
    return (__m512i)_mm512_cvtne2ps_pbh(high, low);
}

static __m512 rest(__m512 x, __m256i hi)
{
    return _mm512_sub_ps(x, _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(hi), 16)));
}

/* The B tile of up to 16 tokens and up to 32 k and, PAIR of tiles further, the one of their second terms. */
static void pack_tile(unsigned char *tile, const float *x, size_t x_stride, int n_tokens, int n_k,
                      int n_terms)
{
    __m512i hi[SIDE] = {{0}}, lo[SIDE] = {{0}}; /* gcc's analyzer does not see that all are written */
    for (int t = 0; t < SIDE; t++) {
        int n = t < n_tokens ? n_k : 0;
        const float *row = n > 0 ? x + (size_t)t * x_stride : x;
        __m512 low = load_first(row, n), high = load_first(n > SIDE ? row + SIDE : row, n - SIDE);
        hi[t] = rounded(low, high);
        if (n_terms == 2) {
            lo[t] = rounded(rest(low, _mm512_castsi512_si256(hi[t])),
                            rest(high, _mm512_extracti64x4_epi64(hi[t], 1)));
        }
    }
    transpose_words(hi);
    for (int k = 0; k < SIDE; k++) {
        _mm512_storeu_si512(tile + 64 * k, hi[k]);
    }
    if (n_terms == 2) {
        transpose_words(lo);
        for (int k = 0; k < SIDE; k++) {
            _mm512_storeu_si512(tile + 2 * TILE_BYTES + 64 * k, lo[k]);
        }
    }
}

/* Packs n_tokens x depth into matmul_panels as [groups][steps][terms][2 tiles of 16 tokens]; what is missing in the last
 * group and step is zeros. */
static void pack_block(const float *x, size_t x_stride, int n_tokens, int depth, int n_terms)
{
    unsigned char *tile = (unsigned char *)matmul_panels;
    for (int t = 0; t < n_tokens; t += PAIR) {
        for (int k = 0; k < depth; k += K_STEP, tile += 2 * n_terms * TILE_BYTES) {
            int n_k = depth - k < K_STEP ? depth - k : K_STEP;
            const float *from = x + (size_t)t * x_stride + k;
            bool both = n_tokens - t > SIDE;
            pack_tile(tile, from, x_stride, n_tokens - t, n_k, n_terms);
            pack_tile(tile + TILE_BYTES, both ? from + SIDE * x_stride : from, x_stride, n_tokens - t - SIDE,
                      n_k, n_terms);
        }
    }
}

#endif
