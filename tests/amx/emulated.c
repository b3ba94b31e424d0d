/* The AMX kernel for machines without AMX: its file is compiled here with tile registers that are arrays and instructions
 * that are loops, as the instruction set reference defines them. A program that is linked with this in place of
 * common/matmul_amx.o has a kernel "amx" wherever there is AVX-512 BF16. */
#define _GNU_SOURCE
#include "common/matmul_kernels.h"

#if defined(__AMX_BF16__) && defined(__AVX512BF16__)

#include <cpuid.h>
#include <immintrin.h>
#include <string.h>
#include <unistd.h>

#include "common/bf16.h"
#include "common/require.h"

/* A thread's own, like the real ones. Without a configuration every instruction but these two is an error. */
static _Thread_local struct {
    unsigned char bytes[16][64];
} registers[8];
static _Thread_local bool configured;

/* Palette 1: from byte 16 on 16 bits a register for the bytes of a row, from byte 48 on 8 bits for the number of rows. The
 * loops below are for full registers. */
static void emulated_loadconfig(const void *config)
{
    const unsigned char *bytes = config;
    REQUIRE(bytes[0] == 1 && bytes[1] == 0);
    for (int i = 0; i < 64; i++) {
        int of = i < 48 ? (i - 16) / 2 : i - 48, expected = i >= 48 ? 16 : i % 2 == 0 ? 64 : 0;
        REQUIRE(i < 2 || bytes[i] == (i >= 16 && of < 8 ? expected : 0));
    }
    memset(registers, 0, sizeof registers);
    configured = true;
}

static void emulated_release(void)
{
    configured = false;
}

static void emulated_load(int tile, const void *from, size_t stride)
{
    REQUIRE(configured);
    for (int row = 0; row < 16; row++) {
        memcpy(registers[tile].bytes[row], (const unsigned char *)from + (size_t)row * stride, 64);
    }
}

static void emulated_store(int tile, void *to, size_t stride)
{
    REQUIRE(configured);
    for (int row = 0; row < 16; row++) {
        memcpy((unsigned char *)to + (size_t)row * stride, registers[tile].bytes[row], 64);
    }
}

static void emulated_zero(int tile)
{
    REQUIRE(configured);
    memset(&registers[tile], 0, sizeof registers[tile]);
}

static void widen(float to[16][32], int tile)
{
    for (int row = 0; row < 16; row++) {
        uint16_t halves[32];
        memcpy(halves, registers[tile].bytes[row], sizeof halves);
        for (int i = 0; i < 32; i++) {
            to[row][i] = bf16_to_f32(halves[i]);
        }
    }
}

/* The first and the second of every pair are summed apart, with one rounding a product, and added at the end. (The real
 * one takes numbers below 2^-126 for zero.) */
static void emulated_multiply(int c, int a, int b)
{
    REQUIRE(configured);
    float wide_a[16][32], wide_b[16][32];
    widen(wide_a, a);
    widen(wide_b, b);
    for (int m = 0; m < 16; m++) {
        __m512 low = _mm512_setzero_ps(),
               high = _mm512_setzero_ps(); /* sums of columns 0..7 and 8..15 of C */
        for (int k = 0; k < 16; k++) {
            double pair;
            memcpy(&pair, &wide_a[m][2 * k], sizeof pair);
            __m512 of_a = _mm512_castpd_ps(_mm512_set1_pd(pair));
            low = _mm512_fmadd_ps(of_a, _mm512_loadu_ps(wide_b[k]), low);
            high = _mm512_fmadd_ps(of_a, _mm512_loadu_ps(wide_b[k] + 16), high);
        }
        float sums[32], row[16];
        _mm512_storeu_ps(sums, low);
        _mm512_storeu_ps(sums + 16, high);
        memcpy(row, registers[c].bytes[m], sizeof row);
        for (int n = 0; n < 16; n++) {
            row[n] += sums[2 * n] + sums[2 * n + 1];
        }
        memcpy(registers[c].bytes[m], row, sizeof row);
    }
}

#undef __get_cpuid_count
#undef syscall
#undef _tile_loadconfig
#undef _tile_loadd
#undef _tile_stored
#undef _tile_zero
#undef _tile_dpbf16ps
#undef _tile_release
#define __get_cpuid_count(leaf, subleaf, a, b, c, d) ((void)(a), (void)(b), (void)(c), *(d) = ~0U, 1)
#define syscall(number, operation, component)        0 /* permission is given */
#define _tile_loadconfig(config)                     emulated_loadconfig(config)
#define _tile_loadd(tile, from, stride)              emulated_load(tile, from, stride)
#define _tile_stored(tile, to, stride)               emulated_store(tile, to, stride)
#define _tile_zero(tile)                             emulated_zero(tile)
#define _tile_dpbf16ps(c, a, b)                      emulated_multiply(c, a, b)
#define _tile_release()                              emulated_release()

#endif

#include "common/matmul_amx.c" /* NOLINT(bugprone-suspicious-include) */
