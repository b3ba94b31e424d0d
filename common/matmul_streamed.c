/* Reads the weights of a product of several tokens once, in the order in which they lie:
 *
 *     for each block of about DEPTH columns
 *         copy x of all tokens                                        stays in the second-level cache
 *         for each strip of rows                                      its weights stay in the first-level cache
 *             for each tile of tokens: multiply                       the sums stay in registers
 *
 * While a strip is multiplied, the one that comes AHEAD strips later is prefetched, every tile its share: reading must
 * not wait for the arithmetic, nor the arithmetic for a burst of reads. The copy of x lies in the order in which the tiles
 * take it, aligned. */
#include <stdalign.h>

#include "common/matmul_kernels.h"
#include "common/require.h"

enum { DEPTH = 1024, AHEAD = 2, LINE = 64 };

/* A thread's own; nothing is allocated. */
static _Thread_local alignas(64) float x_block[MATMUL_MAX_FEW * DEPTH];

static int round_up(int n, int multiple)
{
    return (n + multiple - 1) / multiple * multiple;
}

/* The first token of tile i; that of tile n_tiles is n_tokens. */
static int tile_start(int n_tokens, int n_tiles, int i)
{
    return n_tokens * i / n_tiles;
}

/* x_block: for each tile, for each step, for each of the tile's tokens: the step's columns. */
static void copy_x(const struct matmul_stream *stream, const float *x, size_t x_stride, int n_tokens,
                   int n_tiles, int n_cols, enum dtype dtype)
{
    float *to = x_block;
    for (int i = 0; i < n_tiles; i++) {
        for (int col = 0; col < n_cols; col += stream->step) {
            int n = smaller(stream->step, n_cols - col);
            for (int t = tile_start(n_tokens, n_tiles, i); t < tile_start(n_tokens, n_tiles, i + 1); t++) {
                stream->arrange(to, x + (size_t)t * x_stride + col, n, dtype);
                to += stream->step;
            }
        }
    }
}

static void prefetch_rows(const struct tensor *w, int row, int end, int col, int n_cols)
{
    for (; row < end; row++) {
        const unsigned char *start = matmul_address(w, row, col);
        for (size_t byte = 0; byte < (size_t)n_cols * dtype_size(w->dtype); byte += LINE) {
            __builtin_prefetch(start + byte);
        }
    }
}

/* Which part of the later strip tile i asks for: it may begin within a row. */
static void share_ahead(struct matmul_strip *strip, size_t step_size, int n_tiles, int i)
{
    size_t row_size = (size_t)strip->n_cols * dtype_size(strip->dtype);
    size_t before = (size_t)strip->n_rows * row_size * (size_t)i / (size_t)n_tiles;
    size_t row = AHEAD * (size_t)strip->n_rows + before / row_size;
    strip->ahead = strip->data + row * strip->stride + before % row_size;
    strip->ahead_end = strip->data + row * strip->stride + row_size;
    strip->ahead_step = (size_t)strip->n_rows * step_size / (size_t)n_tiles;
}

/* Columns from .. from + n_cols-1 of all rows. */
static void multiply_columns(const struct matmul_stream *stream, const struct matmul_part *part, int n_tokens,
                             int n_tiles, int first, int end, int from, int n_cols)
{
    const struct tensor *w = part->w;
    size_t size = dtype_size(w->dtype);
    int x_width = round_up(n_cols, stream->step);
    struct matmul_strip strip = {.stride = (size_t)w->cols * size, .dtype = w->dtype, .n_cols = n_cols};
    for (int row = first; row < end; row += strip.n_rows) {
        float bias[MATMUL_MAX_STRIP] = {0};
        strip.n_rows = end - row >= stream->n_rows ? stream->n_rows : 1;
        strip.data = matmul_address(w, row, from);
        for (int r = 0; r < strip.n_rows && tensor_present(part->bias); r++) {
            bias[r] = tensor_at(part->bias, 0, row + r);
        }
        for (int i = 0; i < n_tiles; i++) {
            int t = tile_start(n_tokens, n_tiles, i), n = tile_start(n_tokens, n_tiles, i + 1) - t;
            share_ahead(&strip, (size_t)stream->step * size, n_tiles, i);
            stream->multiply(part->y + (size_t)t * part->y_stride + (size_t)row, part->y_stride,
                             from == 0 ? bias : NULL, x_block + t * x_width, &strip, n);
        }
    }
}

void matmul_streamed(const struct matmul_stream *stream, const struct matmul_part *part, const float *x,
                     size_t x_stride, int n_tokens, int first, int end)
{
    const struct tensor *w = part->w;
    REQUIRE(n_tokens <= MATMUL_MAX_FEW && stream->n_rows <= MATMUL_MAX_STRIP && DEPTH % stream->step == 0);
    int n_tiles = (n_tokens + stream->n_tokens - 1) / stream->n_tokens;
    int n_blocks = (w->cols + DEPTH - 1) / DEPTH;
    int depth = round_up((w->cols + n_blocks - 1) / n_blocks, stream->step);
    for (int from = 0; from < w->cols; from += depth) {
        int n_cols = smaller(depth, w->cols - from);
        prefetch_rows(w, first, smaller(end, first + AHEAD * stream->n_rows), from, n_cols);
        copy_x(stream, x + from, x_stride, n_tokens, n_tiles, n_cols, w->dtype);
        multiply_columns(stream, part, n_tokens, n_tiles, first, end, from, n_cols);
    }
}
