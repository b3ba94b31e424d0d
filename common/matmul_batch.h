/* matmul_batch.h: the products of more than a few tokens, up to 64, in terms of one vector; included by matmul_avx512.c
 * after matmul_vector.h and what that asks for, and
 *
 *     broadcast_group(p, n)      the first n = 1, 2 or 4 floats at p, again and again
 *
 * Introduced in chapter 4.
 *
 * Here the arithmetic takes as long as reading the weights, or longer. The lanes of a vector are tokens: a weight is
 * multiplied with all of them, and nothing has to be added up at the end. With fewer tokens than lanes a vector holds a
 * GROUP of neighbouring columns of each token, and a weight comes with its neighbours; shown for 8 lanes, 4 tokens, groups
 * of 2:
 *
 *     weights of a row, widened               w[k] w[k+1]
 *                                              |  |  broadcast
 *     w[k]    w[k+1]  w[k]    w[k+1]  w[k]    w[k+1]  w[k]    w[k+1]
 *     x[0,k]  x[0,k+1] x[1,k] x[1,k+1] x[2,k] x[2,k+1] x[3,k] x[3,k+1]       x_copy, put together once for all rows
 *
 * The sums of a tile of rows x vectors stay in registers. While a step is multiplied the next is widened, row by row, into
 * a few kB that stay in the first-level cache, and the rows of the next tile are prefetched: reading, widening and
 * multiplying go on at the same time. */
#ifndef COMMON_MATMUL_BATCH_H
#define COMMON_MATMUL_BATCH_H

#include <stdalign.h>

enum {
    BATCH_DEPTH = 1024,
    BATCH_SUMS = 24, /* with 3 activations and a weight 28 of the 32 registers */
    BATCH_ROWS = BATCH_SUMS / 2,
    BATCH_VECTORS = 3,
    BATCH_MOST = BATCH_VECTORS * LANES /* tokens of the largest tile */
};

/* A thread's own copy of activations, for the tokens of all tiles; nothing is allocated. */
static _Thread_local alignas(64) float x_copy[2 * BATCH_MOST * BATCH_DEPTH];

/* Columns from .. from + n_cols-1, for the tokens of one tile. */
struct batch_block {
    float *y; /* of the first token */
    size_t y_stride;
    const struct tensor *w;
    const float *bias; /* of the tile's rows; NULL: what is in y */
    const float *x;    /* a part of x_copy, [n_cols / group][n_vectors][LANES / group tokens][group] */
    int from, n_cols, n_tokens;
};

INLINE void widen_step(const enum dtype dtype, float to[FEW_STEP], const unsigned char *from, int n)
{
    unsigned char padded[FEW_STEP * sizeof(float)];
    if (n < FEW_STEP) { /* what lies behind a row may not be read */
        memset(padded, 0, sizeof padded);
        memcpy(padded, from, (size_t)n * element_size(dtype));
        from = padded;
    }
    UNROLL
    for (int c = 0; c < FEW_STEP; c += 2 * LANES) {
        store(to + c, load_half(from + (size_t)c * element_size(dtype), dtype, 0));
        store(to + c + LANES, load_half(from + (size_t)c * element_size(dtype), dtype, 1));
    }
}

/* y[t, i] = start[i] + sums, for n rows i: lanes become rows, then the columns of a group are added. */
INLINE void write_sums(const int n_vectors, const int n_group, const struct batch_block *block, int row,
                       int n_rows, const vector sum[BATCH_SUMS])
{
    const int rows = BATCH_SUMS / n_vectors;
    UNROLL
    for (int from = 0; from < rows; from += LANES) {
        UNROLL
        for (int v = 0; v < n_vectors; v++) {
            vector column[LANES];
            UNROLL
            for (int i = 0; i < LANES; i++) {
                const int r = from + i < rows ? from + i : 0;
                column[i] = sum[r * n_vectors + v];
            }
            transpose(column);
            UNROLL
            for (int i = 0; i < LANES; i += n_group) {
                int t = (v * LANES + i) / n_group, n = smaller(LANES, n_rows - from);
                UNROLL
                for (int g = 1; g < n_group; g++) {
                    column[i] = add(column[i], column[i + g]);
                }
                if (t < block->n_tokens && n > 0) {
                    float *y = block->y + (size_t)t * block->y_stride + row + from;
                    const float *start = block->bias != NULL ? block->bias + from : y;
                    if (n == LANES) {
                        store(y, add(load(start), column[i]));
                    } else {
                        store_first(y, add(load_first(start, n), column[i]), n);
                    }
                }
            }
        }
    }
}

/* Rows row .. row + n_rows-1; what a full tile has more is the last of them again, and is not written. */
INLINE void batch_tile(const enum dtype dtype, const int n_vectors, const int n_group,
                       const struct batch_block *block, int row, int n_rows)
{
    const int rows = BATCH_SUMS / n_vectors, n_groups = FEW_STEP / n_group, n_cols = block->n_cols;
    const size_t size = element_size(dtype), stride = (size_t)block->w->cols * size;
    const unsigned char *w = matmul_address(block->w, row, block->from);
    const float *x = block->x;
    alignas(64) float widened[2][BATCH_ROWS * FEW_STEP];
    vector sum[BATCH_SUMS];
    UNROLL
    for (int i = 0; i < BATCH_SUMS; i++) {
        sum[i] = zero();
    }
    for (int r = 0; r < rows; r++) {
        widen_step(dtype, widened[0] + r * FEW_STEP, w + (size_t)smaller(r, n_rows - 1) * stride,
                   smaller(FEW_STEP, n_cols));
    }
    for (int i = 0, half = 0; i < n_cols; i += FEW_STEP, half = 1 - half) {
        const int n_next = smaller(FEW_STEP, n_cols - i - FEW_STEP);
        const float *weights = widened[half];
        float *next = widened[1 - half];
        const unsigned char *from = w + (size_t)(i + FEW_STEP) * size;
        int group = 0;
        for (int r = 0; r < rows; r++) { /* a row of the next step, then a share of this step's groups */
            for (size_t byte = 0; byte < FEW_STEP * size; byte += LINE) {
                __builtin_prefetch(from + (size_t)rows * stride + byte);
            }
            if (n_next > 0) {
                widen_step(dtype, next + r * FEW_STEP, from, n_next);
            }
            from += r < n_rows - 1 ? stride : 0;
            for (; group * rows < (r + 1) * n_groups; group++) {
                vector activations[BATCH_VECTORS];
                UNROLL
                for (int v = 0; v < n_vectors; v++) {
                    activations[v] = load(x + v * LANES);
                }
                x += n_vectors * LANES;
                UNROLL
                for (int o = 0; o < rows; o++) {
                    vector weight = broadcast_group(weights + o * FEW_STEP, n_group);
                    UNROLL
                    for (int v = 0; v < n_vectors; v++) {
                        const int s = o * n_vectors + v;
                        sum[s] = multiply_add(weight, activations[v], sum[s]);
                    }
                }
                weights += n_group;
            }
        }
    }
    write_sums(n_vectors, n_group, block, row, n_rows, sum);
}

typedef void batch_function(const struct batch_block *block, int row, int n_rows);

/* Functions of their own: in one that holds all of them gcc keeps no sums in registers. */
#define BATCH(v, g)                                                                                          \
    static void batch_##v##_##g(const struct batch_block *block, int row, int n_rows)                        \
    {                                                                                                        \
        switch (block->w->dtype) {                                                                           \
        case DTYPE_F32: batch_tile(DTYPE_F32, v, g, block, row, n_rows); break;                              \
        case DTYPE_BF16: batch_tile(DTYPE_BF16, v, g, block, row, n_rows); break;                            \
        case DTYPE_F16: batch_tile(DTYPE_F16, v, g, block, row, n_rows); break;                              \
        }                                                                                                    \
    }
BATCH(2, 4)
BATCH(3, 4)
BATCH(2, 2)
BATCH(3, 2)
BATCH(2, 1)
BATCH(3, 1)
#undef BATCH

/* From the smallest to the largest. */
static const struct batch_shape {
    int n_vectors, group;
    batch_function *tile;
} batch_shapes[] = {{2, 4, batch_2_4}, {3, 4, batch_3_4}, {2, 2, batch_2_2},
                    {3, 2, batch_3_2}, {2, 1, batch_2_1}, {3, 1, batch_3_1}};

INLINE int shape_tokens(const struct batch_shape *shape)
{
    return shape->n_vectors * LANES / shape->group;
}

/* The activations of one tile's tokens; where there are fewer than it holds: zeros. */
INLINE void copy_groups(const int group, float *to, int tokens, const float *x, size_t x_stride, int n_tokens,
                        int n_cols, enum dtype dtype)
{
    for (int i = 0; i < n_cols; i += FEW_STEP) {
        for (int t = 0; t < tokens; t++) {
            float step[FEW_STEP] = {0};
            if (t < n_tokens) {
                few_arrange(step, x + (size_t)t * x_stride + i, smaller(FEW_STEP, n_cols - i), dtype);
            }
            UNROLL
            for (int k = 0; k < FEW_STEP; k += group) {
                memcpy(to + k * tokens + t * group, step + k, group * sizeof *to);
            }
        }
        to += FEW_STEP * tokens;
    }
}

static void copy_tile(const struct batch_shape *shape, float *to, const float *x, size_t x_stride,
                      int n_tokens, int n_cols, enum dtype dtype)
{
    switch (shape->group) {
    case 1: copy_groups(1, to, shape_tokens(shape), x, x_stride, n_tokens, n_cols, dtype); break;
    case 2: copy_groups(2, to, shape_tokens(shape), x, x_stride, n_tokens, n_cols, dtype); break;
    case 4: copy_groups(4, to, shape_tokens(shape), x, x_stride, n_tokens, n_cols, dtype); break;
    }
}

static void multiply_batch(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens,
                           int first, int end)
{
    const struct tensor *w = part->w;
    const int n_tiles = (n_tokens + BATCH_MOST - 1) / BATCH_MOST;
    const struct batch_shape *shape = batch_shapes;
    while (shape_tokens(shape) * n_tiles < n_tokens) {
        shape++;
    }
    const int rows = BATCH_SUMS / shape->n_vectors;
    const int n_blocks = (w->cols + BATCH_DEPTH - 1) / BATCH_DEPTH;
    const int depth = (w->cols + n_blocks * FEW_STEP - 1) / (n_blocks * FEW_STEP) * FEW_STEP;
    for (int from = 0; from < w->cols; from += depth) {
        struct batch_block tiles[2];
        const int n_cols = smaller(depth, w->cols - from);
        float bias[BATCH_ROWS] = {0}, *copy = x_copy;
        for (int i = 0; i < n_tiles; i++) {
            int t = n_tokens * i / n_tiles, n = n_tokens * (i + 1) / n_tiles - t;
            copy_tile(shape, copy, x + (size_t)t * x_stride + from, x_stride, n, n_cols, w->dtype);
            tiles[i] = (struct batch_block){part->y + (size_t)t * part->y_stride,
                                            part->y_stride,
                                            w,
                                            from == 0 ? bias : NULL,
                                            copy,
                                            from,
                                            n_cols,
                                            n};
            copy += shape_tokens(shape) * ((n_cols + FEW_STEP - 1) / FEW_STEP * FEW_STEP);
        }
        for (int row = first; row < end; row += rows) {
            const int n_rows = smaller(rows, end - row);
            for (int r = 0; r < n_rows && tensor_present(part->bias); r++) {
                bias[r] = tensor_at(part->bias, 0, row + r);
            }
            for (int i = 0; i < n_tiles; i++) {
                shape->tile(&tiles[i], row, n_rows);
            }
        }
    }
}

/* Up to 8 tokens what a weight is widened for is too little: it goes straight to the multiplication. */
static void few_or_batch(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens,
                         int first, int end)
{
    REQUIRE(n_tokens <= MATMUL_MAX_FEW);
    (n_tokens <= 8 ? few : multiply_batch)(part, x, x_stride, n_tokens, first, end);
}

#endif
