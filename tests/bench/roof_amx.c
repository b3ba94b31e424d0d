/* Compiled with the flags of common/matmul_amx.c. */
#define _GNU_SOURCE /* syscall */
#include <string.h>

#include "common/matmul.h"
#include "tests/bench/roofs.h"

#if defined(__AMX_BF16__) && defined(__linux__)

#include <immintrin.h>
#include <stdint.h>

/* Four products of 16 x 32 by 32 x 16. */
const double roof_amx_flops = 4 * 2.0 * 16 * 32 * 16;

/* The kernel's own check, which also asks the system for permission. */
bool roof_amx_usable(void)
{
    for (int i = 0; matmul_usable_kernel(i) != NULL; i++) {
        if (strcmp(matmul_usable_kernel(i), "amx") == 0) {
            return true;
        }
    }
    return false;
}

void roof_amx_run(long n_steps)
{
    struct {
        uint8_t palette, start_row, reserved[14];
        uint16_t bytes_per_row[16];
        uint8_t rows[16];
    } config = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        config.bytes_per_row[i] = 64;
        config.rows[i] = 16;
    }
    __asm__ volatile("" : : : "memory"); /* the tile load does not tell the compiler that it reads memory */
    _tile_loadconfig(&config);
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    _tile_zero(4);
    _tile_zero(5);
    _tile_zero(6);
    _tile_zero(7);
    for (long k = 0; k < n_steps; k++) {
        _tile_dpbf16ps(0, 4, 6);
        _tile_dpbf16ps(1, 4, 7);
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
    }
    _tile_release();
}

#else

const double roof_amx_flops = 0;

bool roof_amx_usable(void)
{
    return false;
}

void roof_amx_run(long n_steps)
{
    (void)n_steps;
}

#endif
