/* Blocks a large product so that what is used again is near:
 *
 *     for each block of at most BLOCK_ROWS rows of W
 *         for each block of at most MATMUL_DEPTH columns
 *             pack that block of W, widened, into panels              512 kB: stays in the second-level cache
 *             for each tile of tokens                                 its x, 28 kB, stays near
 *                 for each panel: multiply                            the sums stay in registers
 *
 * Packing costs one pass over W; every packed weight is then used once per token. x is used as it lies, unless the
 * kernel makes something else of it or its rows would all compete for the same few lines of the cache: then it is copied, a
 * tile at a time, with a fixed stride. A copy waits for the next tile's x; multiplications go on while it comes. */
#include <stdalign.h>
#include <string.h>

#include "common/matmul_kernels.h"
#include "common/require.h"

enum { BLOCK_ROWS = MATMUL_BLOCK_ROWS, MAX_TOKENS = 16 };

/* A thread's own; nothing is allocated. */
_Thread_local alignas(64) float matmul_panels[BLOCK_ROWS * MATMUL_DEPTH];
static _Thread_local alignas(64) float x_tile[MAX_TOKENS * MATMUL_X_STRIDE];

/* Part i of n pieces of total whose sizes differ by at most one grain. */
static int piece_start(int total, int n, int i, int grain)
{
    int grains = (total + grain - 1) / grain;
    int start = (int)((long long)grains * i / n) * grain;
    return start < total ? start : total;
}

static int count_pieces(int total, int largest)
{
    return (total + largest - 1) / largest;
}

/* Rows of x whose distance is a multiple of it compete for the same few lines of the first-level cache. */
enum { BAD_STRIDE = 4096 / sizeof(float) };

/* n rows of x as tiles want them: as they lie, or a copy. fixed: at MATMUL_X_STRIDE only. */
static const float *place_x(const struct matmul_tile *tile, const float *x, size_t *x_stride, int n,
                            int depth, bool fixed)
{
    bool as_they_lie = fixed ? *x_stride == MATMUL_X_STRIDE : *x_stride % BAD_STRIDE != 0;
    if (tile->load == NULL && as_they_lie) {
        return x;
    }
    for (int j = 0; j < n; j++) {
        const float *from = x + (size_t)j * *x_stride;
        if (tile->load != NULL) {
            tile->load(x_tile + j * MATMUL_X_STRIDE, from, depth);
        } else {
            memcpy(x_tile + j * MATMUL_X_STRIDE, from, (size_t)depth * sizeof *x);
        }
    }
    *x_stride = MATMUL_X_STRIDE;
    return x_tile;
}

/* Rows first .. first + n_rows-1 of W or columns of v. v is NULL where the panels are packed; else it is where v's first
 * row and column lie, and the panels are v itself. */
static void multiply_block(const struct matmul_tile *tile, const struct matmul_part *part, const float *bias,
                           const float *x, size_t x_stride, int n_tokens, int first, int n_rows, int depth,
                           const float *v)
{
    int n_tiles = count_pieces(n_tokens, tile->n_tokens);
    for (int i = 0; i < n_tiles; i++) {
        int t = piece_start(n_tokens, n_tiles, i, 1), n = piece_start(n_tokens, n_tiles, i + 1, 1) - t;
        size_t stride = x_stride;
        const float *rows_of_x = place_x(tile, x + (size_t)t * x_stride, &stride, n, depth, v != NULL);
        for (int o = 0; o < n_rows; o += tile->n_rows) {
            float *y = part->y + (size_t)t * part->y_stride + (size_t)(first + o);
            int width = n_rows - o < tile->n_rows ? n_rows - o : tile->n_rows;
            bool in_place = v != NULL && width == tile->n_rows;
            tile->multiply(y, part->y_stride, bias == NULL ? NULL : bias + o, rows_of_x, stride,
                           in_place ? v + o : matmul_panels + o * MATMUL_DEPTH,
                           in_place ? (size_t)part->w->cols : (size_t)tile->n_rows, depth, n, width);
        }
    }
}

void matmul_blocked(const struct matmul_tile *tile, const struct matmul_part *part, const float *x,
                    size_t x_stride, int n_tokens, int first, int end)
{
    const struct tensor *w = part->w;
    REQUIRE(tile->n_tokens <= MAX_TOKENS && MATMUL_ROW_UNIT % tile->n_rows == 0);
    int n_blocks = count_pieces(w->cols, MATMUL_DEPTH);
    for (int row = first; row < end; row += BLOCK_ROWS) {
        int n_rows = end - row < BLOCK_ROWS ? end - row : BLOCK_ROWS;
        float bias[BLOCK_ROWS];
        for (int o = 0; o < n_rows; o++) {
            bias[o] = tensor_present(part->bias) ? tensor_at(part->bias, 0, row + o) : 0.0f;
        }
        for (int block = 0; block < n_blocks; block++) {
            int from = piece_start(w->cols, n_blocks, block, 16);
            int depth = piece_start(w->cols, n_blocks, block + 1, 16) - from;
            for (int o = 0; o < n_rows; o += tile->n_rows) {
                tile->pack(matmul_panels + o * MATMUL_DEPTH, w, row + o, from, depth);
            }
            multiply_block(tile, part, block == 0 ? bias : NULL, x + from, x_stride, n_tokens, row, n_rows,
                           depth, NULL);
        }
    }
}

void matmul_blocked_mix(const struct matmul_tile *tile, float *y, size_t y_stride, const float *x,
                        size_t x_stride, const struct tensor *v, int n_rows)
{
    const struct matmul_part part = {y, y_stride, v, NULL};
    int n_blocks = count_pieces(v->rows, MATMUL_DEPTH);
    for (int column = 0; column < v->cols; column += BLOCK_ROWS) {
        int n_cols = v->cols - column < BLOCK_ROWS ? v->cols - column : BLOCK_ROWS;
        for (int block = 0; block < n_blocks; block++) {
            int from = piece_start(v->rows, n_blocks, block, 16);
            int depth = piece_start(v->rows, n_blocks, block + 1, 16) - from;
            int n_whole = n_cols / tile->n_rows * tile->n_rows;
            if (n_whole < n_cols) {
                tile->pack(matmul_panels + n_whole * MATMUL_DEPTH, v, column + n_whole, from, depth);
            }
            multiply_block(tile, &part, NULL, x + from, x_stride, n_rows, column, n_cols, depth,
                           (const float *)v->data + (size_t)from * (size_t)v->cols + column);
        }
    }
}
