/* matmul_kernels.h: what a file with one instruction set's kernel gives to matmul.c. Only matmul*.c include it.
 * Introduced in chapter 4. */
#ifndef COMMON_MATMUL_KERNELS_H
#define COMMON_MATMUL_KERNELS_H

#include <stdbool.h>

#include "common/matmul.h"

/* INLINE functions get constants for dtype and the sizes of their tiles wherever they are called: each call becomes a
 * loop of its own, without a branch. */
#define INLINE static inline __attribute__((always_inline))

/* Loops over registers must be unrolled whole, or the sums live in memory: compilers do not see that by themselves. */
#define UNROLL _Pragma("GCC unroll 32")

INLINE int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Outputs first .. end-1 of one product, for all tokens. */
typedef void matmul_rows(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens,
                         int first, int end);

/* Rows first .. end-1 of gate (parts[0]) and of up: gate's y = silu(gate) * up; up's is left alone. */
typedef void matmul_gated_rows(const struct matmul_part parts[2], const float *x, size_t x_stride,
                               int n_tokens, int first, int end);

/* A kernel file is compiled with its own flags (.make/configure.sh), so nothing of it may run before usable() said
 * yes. Where the compiler cannot make the instructions, built_in is false and every function NULL.
 *
 * few and many differ in rounding; which one serves depends on n_tokens alone. Neither may let an output's bits depend
 * on first, end or the thread: that is what makes results independent of the number of threads. */
struct matmul_kernel {
    const char *name;
    bool built_in;
    bool (*usable)(void); /* do this CPU and its operating system run it? */

    /* NULL, or the kernel that does what this one does not: all functions that are NULL here. It must be usable
     * wherever this one is. */
    const struct matmul_kernel *base;

    int n_few;         /* up to so many tokens: few; more: many */
    matmul_rows *few;  /* bound by memory: every weight is read once, widened in registers, used at once */
    matmul_rows *many; /* bound by arithmetic: weights are packed once and multiplied with tiles of tokens */
    /* NULL, or many with activations rounded to bfloat16 (matmul_set_precision). A kernel that has it multiplies bfloat16
     * only: both get no other weights, those go to the base. */
    matmul_rows *many_bf16;
    int max_tokens; /* what many gets at once, 0: all; a product's tokens are then shared out to threads too */

    /* NULL, or for many tokens the product of gate and up while both are near; where they are NULL it is made when many is
     * done with a piece of each. */
    matmul_gated_rows *gated, *gated_bf16;

    float (*dot)(const float *a, const float *b, int n);
    void (*add_scaled)(float *y, float scale, const float *x, int n);
    /* matmul_scores where it has few queries, and matmul_mix; k and v are float32. */
    void (*score_few)(float *y, size_t y_stride, const float *x, size_t x_stride, const struct tensor *k,
                      int n_rows);
    void (*add_mixed)(float *y, size_t y_stride, const float *x, size_t x_stride, const struct tensor *v,
                      int n_rows);
    float (*largest)(const float *x, int n);
    float (*exp_sum)(float *x, float shift, int n);
    void (*silu_multiply)(float *gate, const float *up, size_t n);
};

extern const struct matmul_kernel matmul_portable;
extern const struct matmul_kernel matmul_avx2;
extern const struct matmul_kernel matmul_avx512;
extern const struct matmul_kernel matmul_avx512bf16;
extern const struct matmul_kernel matmul_amx;
extern const struct matmul_kernel matmul_neon;
extern const struct matmul_kernel matmul_neonbf16;

/* ---- The kernel that is chosen (matmul_choice.c) ---- */

/* It or, for what it does not do itself, its base. */
const struct matmul_kernel *matmul_base_kernel(void);
/* What multiplies n_tokens with w: few or many, of the chosen kernel or its base. What multiplies them with gate and up, or
 * NULL. How many tokens of n_tokens it gets at once. */
matmul_rows *matmul_chosen_rows(const struct tensor *w, int n_tokens);
matmul_gated_rows *matmul_chosen_gated(const struct tensor *gate, const struct tensor *up, int n_tokens);
int matmul_max_tokens(int n_tokens);

/* first and end of what few and many get are multiples of it, or the last row: full tiles but for the end. */
enum { MATMUL_ROW_UNIT = 32 };

/* Fewer multiplications than this are done before a second thread has woken up, and on a busy machine long before: waiting for
 * it would make a small model many times slower. */
enum { MATMUL_SMALL = 1 << 19 };

/* ---- Few tokens, the same for every kernel that multiplies float32 (matmul_streamed.c) ---- */

enum { MATMUL_MAX_FEW = 64, MATMUL_MAX_STRIP = 4 };

/* Some columns of a few rows of W, as they lie, and what is prefetched while they are multiplied: with every step the next
 * ahead_step bytes of rows that come later, whose part in these columns ends at ahead_end in the first of them. */
struct matmul_strip {
    const unsigned char *data, *ahead, *ahead_end;
    size_t stride, ahead_step; /* bytes */
    enum dtype dtype;
    int n_rows, n_cols; /* n_rows is 1 or that of a full tile */
};

struct matmul_stream {
    int n_rows, n_tokens; /* of a full tile: up to MATMUL_MAX_STRIP rows */
    int step;             /* columns that are multiplied together */

    /* One step of one token's activations, in the order in which multiply wants them; n < step: zeros behind. */
    void (*arrange)(float *to, const float *x, int n, enum dtype dtype);

    /* y[t, r] = bias[r] + sum_i x[t, i] * w[r, i], or where bias is NULL y[t, r] + the sum; x arranged,
     * [steps][n_tokens][step]; n_tokens up to those of a full tile. */
    void (*multiply)(float *y, size_t y_stride, const float *bias, const float *x,
                     const struct matmul_strip *w, int n_tokens);
};

void matmul_streamed(const struct matmul_stream *stream, const struct matmul_part *part, const float *x,
                     size_t x_stride, int n_tokens, int first, int end);

/* ---- Many tokens, the same for every kernel that multiplies float32 (matmul_blocked.c) ----
 *
 *               depth <= MATMUL_DEPTH                      panel: n_rows rows of W side by side, k by k
 *              +---------------------+                    +------------------------+
 *       tokens |  x tile, as it lies | -- broadcast -->   | w[0,k] w[1,k] w[2,k] … |  k
 *              +---------------------+                    +------------------------+
 *
 *     y[t, o] += x[t, k] * w[o, k] for a tile of tokens x rows sums that stay in registers over all of k. */
enum { MATMUL_DEPTH = 512, MATMUL_BLOCK_ROWS = 256, MATMUL_X_STRIDE = MATMUL_MIX_STRIDE };

/* A thread's own: the panels of a block, or what another kernel packs. */
extern _Thread_local float matmul_panels[MATMUL_BLOCK_ROWS * MATMUL_DEPTH];

struct matmul_tile {
    int n_tokens, n_rows; /* of a full tile; n_rows divides MATMUL_ROW_UNIT */

    /* panel[k * n_rows + i] = w[first + i, from + k] for k < depth, 0 where first + i is behind the last row; may write
     * more k, up to a multiple of 32. */
    void (*pack)(float *panel, const struct tensor *w, int first, int from, int depth);

    /* Makes one row of the x tile, MATMUL_DEPTH words of 32 bits; NULL: depth float32 as they are. */
    void (*load)(float *tile_row, const float *x, int depth);

    /* y[t, i] = bias[i] + sum, or where bias is NULL y[t, i] + sum; x row t at x + t * x_stride, which is MATMUL_X_STRIDE
     * where load made it and for a mix; column k of the panel at panel + k * panel_stride; n_tokens and n_rows up to those
     * of a full tile. */
    void (*multiply)(float *y, size_t y_stride, const float *bias, const float *x, size_t x_stride,
                     const float *panel, size_t panel_stride, int depth, int n_tokens, int n_rows);
};

void matmul_blocked(const struct matmul_tile *tile, const struct matmul_part *part, const float *x,
                    size_t x_stride, int n_tokens, int first, int end);

/* y[t, c] += sum_k x[t, k] v[k, c]. The rows of v serve as panels as they lie; the tile's pack, which gets v and a column in
 * place of a row, is for the last columns, where they do not fill a tile. */
void matmul_blocked_mix(const struct matmul_tile *tile, float *y, size_t y_stride, const float *x,
                        size_t x_stride, const struct tensor *v, int n_rows);

/* Address of w[row, col]. */
const unsigned char *matmul_address(const struct tensor *w, int row, int col);

#endif
