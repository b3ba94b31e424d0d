#include "common/matmul.h"

#include <stdint.h>
#include <stdlib.h>

#include "common/matmul_kernels.h"
#include "common/require.h"

void matmul_plain(float *y, size_t y_stride, const float *x, size_t x_stride, const struct tensor *w,
                  const struct tensor *bias, int n_tokens)
{
    for (int t = 0; t < n_tokens; t++) {
        for (int o = 0; o < w->rows; o++) {
            float sum = tensor_present(bias) ? tensor_at(bias, 0, o) : 0.0f;
            for (int i = 0; i < w->cols; i++) {
                sum += x[(size_t)t * x_stride + (size_t)i] * tensor_at(w, o, i);
            }
            y[(size_t)t * y_stride + (size_t)o] = sum;
        }
    }
}

/* ---- The products ---- */

const unsigned char *matmul_address(const struct tensor *w, int row, int col)
{
    size_t index = (size_t)row * (size_t)w->cols + (size_t)col;
    return (const unsigned char *)w->data + index * dtype_size(w->dtype);
}

float *matmul_memory(size_t n)
{
    enum { LINE = 64, FLOATS = LINE / sizeof(float) };
    size_t lines = n / FLOATS + 1;
    return lines > SIZE_MAX / LINE / 2 ? NULL : aligned_alloc(LINE, lines * LINE);
}

/* The rows of all parts, in units, are one list, which is cut into pieces for the threads. A piece is at most
 * PIECE_UNITS, so that no thread waits long for the last; where the kernel takes only so many tokens at once, a piece is
 * those of so many tokens. */
enum { PIECE_UNITS = 32 };

struct product {
    const struct matmul_part *parts;
    int n_parts;
    const float *x;
    size_t x_stride;
    int n_tokens;
    bool gated; /* two parts, gate and up: units are rows of both */
};

struct piece {
    int from, end; /* units */
    int token, n_tokens;
};

static int count_units(const struct matmul_part *part)
{
    return (part->w->rows + MATMUL_ROW_UNIT - 1) / MATMUL_ROW_UNIT;
}

/* A part as the tokens from the piece's first on see it, and their x. */
static struct matmul_part part_of(const struct product *product, int p, const struct piece *piece)
{
    struct matmul_part part = product->parts[p];
    part.y += (size_t)piece->token * part.y_stride;
    return part;
}

static const float *x_of(const struct product *product, const struct piece *piece)
{
    return product->x + (size_t)piece->token * product->x_stride;
}

static void multiply_rows(const struct product *product, const struct matmul_part *part,
                          const struct piece *piece, int first, int last)
{
    matmul_chosen_rows(part->w, product->n_tokens)(part, x_of(product, piece), product->x_stride,
                                                   piece->n_tokens, first, last);
}

static void multiply_piece(const struct product *product, const struct piece *piece)
{
    int from = piece->from, end = piece->end;
    for (int p = 0; p < product->n_parts && from < end; p++) {
        const struct matmul_part part = part_of(product, p, piece);
        int n_units = count_units(&part);
        if (from < n_units) {
            int last = end < n_units ? end * MATMUL_ROW_UNIT : part.w->rows;
            multiply_rows(product, &part, piece, from * MATMUL_ROW_UNIT,
                          last < part.w->rows ? last : part.w->rows);
        }
        from = from > n_units ? from - n_units : 0;
        end -= n_units;
    }
}

/* Gate and up of a piece of 512 tokens are 2 x 1024 rows x 512 x 4 bytes = 4 MB: more than the second-level cache, not more
 * than the third. Kernels whose vectors multiply take tens of times as long to make them as to read them again, and smaller
 * pieces are no faster; the tiles of AMX would wait, so that kernel has a function of its own. */
static void multiply_gated_piece(const struct product *product, const struct piece *piece)
{
    const struct matmul_part parts[2] = {part_of(product, 0, piece), part_of(product, 1, piece)};
    const struct matmul_part *gate = &parts[0], *up = &parts[1];
    int first = piece->from * MATMUL_ROW_UNIT, last = piece->end * MATMUL_ROW_UNIT;
    last = last < gate->w->rows ? last : gate->w->rows;
    matmul_gated_rows *gated = matmul_chosen_gated(gate->w, up->w, product->n_tokens);
    if (gated != NULL) {
        gated(parts, x_of(product, piece), product->x_stride, piece->n_tokens, first, last);
        return;
    }
    multiply_rows(product, gate, piece, first, last);
    multiply_rows(product, up, piece, first, last);
    for (int t = 0; t < piece->n_tokens; t++) {
        matmul_silu_multiply(gate->y + (size_t)t * gate->y_stride + first,
                             up->y + (size_t)t * up->y_stride + first, (size_t)(last - first));
    }
}

static void require_part(const struct matmul_part *part, int cols)
{
    REQUIRE(tensor_present(part->w) && part->w->cols == cols);
    REQUIRE(!tensor_present(part->bias) || part->bias->cols == part->w->rows);
}

static void share_units(const struct product *product, int n_units, double n_products)
{
    int n_threads = n_products > MATMUL_SMALL ? matmul_threads() : 1;
    int most = matmul_max_tokens(product->n_tokens), n_blocks = (product->n_tokens + most - 1) / most;
    int at_once = n_threads * PIECE_UNITS, rounds = (n_units * n_blocks + at_once - 1) / at_once;
    int n_cuts = (rounds * n_threads + n_blocks - 1) / n_blocks, n_pieces = n_cuts * n_blocks;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) if (n_threads > 1)
#endif
    for (int i = 0; i < n_pieces; i++) {
        int cut = i / n_blocks, block = i % n_blocks; /* the same rows one after the other: they are near */
        int token = (int)((long long)product->n_tokens * block / n_blocks);
        const struct piece piece = {(int)((long long)n_units * cut / n_cuts),
                                    (int)((long long)n_units * (cut + 1) / n_cuts), token,
                                    (int)((long long)product->n_tokens * (block + 1) / n_blocks) - token};
        if (product->gated) {
            multiply_gated_piece(product, &piece);
        } else {
            multiply_piece(product, &piece);
        }
    }
}

void matmul_parts(const struct matmul_part *parts, int n_parts, const float *x, size_t x_stride, int n_tokens)
{
    REQUIRE(n_parts >= 1 && n_tokens >= 0);
    const struct product product = {parts, n_parts, x, x_stride, n_tokens, false};
    int n_units = 0;
    double n_products = 0;
    for (int p = 0; p < n_parts; p++) {
        require_part(&parts[p], parts[0].w->cols);
        n_units += count_units(&parts[p]);
        n_products += (double)n_tokens * parts[p].w->rows * parts[p].w->cols;
    }
    if (n_tokens > 0) {
        share_units(&product, n_units, n_products);
    }
}

void matmul_gated(const struct matmul_part *gate, const struct matmul_part *up, const float *x,
                  size_t x_stride, int n_tokens)
{
    REQUIRE(n_tokens >= 0);
    require_part(gate, gate->w->cols);
    require_part(up, gate->w->cols);
    REQUIRE(up->w->rows == gate->w->rows);
    const struct matmul_part parts[2] = {*gate, *up};
    const struct product product = {parts, 2, x, x_stride, n_tokens, true};
    if (n_tokens > 0) {
        share_units(&product, count_units(gate), 2.0 * n_tokens * gate->w->rows * gate->w->cols);
    }
}

void matmul(float *y, size_t y_stride, const float *x, size_t x_stride, const struct tensor *w,
            const struct tensor *bias, int n_tokens)
{
    struct matmul_part part = {y, y_stride, w, bias};
    matmul_parts(&part, 1, x, x_stride, n_tokens);
}

float matmul_dot(const float *a, const float *b, int n)
{
    return matmul_base_kernel()->dot(a, b, n);
}

void matmul_add_scaled(float *y, float scale, const float *x, int n)
{
    matmul_base_kernel()->add_scaled(y, scale, x, n);
}

/* With so few queries a key is read once and used at once; with more it pays to pack it. */
enum { FEW_QUERIES = 8 };

void matmul_scores(float *y, size_t y_stride, const float *x, size_t x_stride, const float *k, int n_rows,
                   int n_keys, int dim)
{
    const struct tensor keys = tensor_f32(k, n_keys, dim);
    const struct matmul_part part = {y, y_stride, &keys, NULL};
    if (n_rows <= FEW_QUERIES) {
        matmul_base_kernel()->score_few(y, y_stride, x, x_stride, &keys, n_rows);
    } else {
        matmul_base_kernel()->many(&part, x, x_stride, n_rows, 0, n_keys);
    }
}

void matmul_mix(float *y, size_t y_stride, const float *x, size_t x_stride, const float *v, int n_rows,
                int n_keys, int dim)
{
    const struct tensor values = tensor_f32(v, n_keys, dim);
    matmul_base_kernel()->add_mixed(y, y_stride, x, x_stride, &values, n_rows);
}

float matmul_largest(const float *x, int n)
{
    return matmul_base_kernel()->largest(x, n);
}

float matmul_exp_sum(float *x, float shift, int n)
{
    return matmul_base_kernel()->exp_sum(x, shift, n);
}

void matmul_silu_multiply(float *gate, const float *up, size_t n)
{
    matmul_base_kernel()->silu_multiply(gate, up, n);
}
