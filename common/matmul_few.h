/* matmul_few.h: the products of a few tokens, in terms of one vector; included by matmul_vector.h.
 * Introduced in chapter 4.
 *
 * Such products are bound by memory: the weights are read once, as they lie, and widened in registers. With eight tokens
 * arithmetic takes as long as reading: both must go on at the same time, so every step asks for a share of the rows that
 * come later. */
#ifndef COMMON_MATMUL_FEW_H
#define COMMON_MATMUL_FEW_H

enum {
    ONE_ROWS = 3,        /* of one token, side by side */
    FEW_STEP = 2 * LANES /* columns of several tokens, multiplied together */
};

/* ---- One token ---- */

/* Rows far apart, read side by side: where pages are of 4 kB the processor itself follows several streams better than
 * one, and a load of x serves all of them. Two sums a row, so that none waits for another. */
INLINE void one_tile(const enum dtype dtype, const int n_rows, float *y, const float *x,
                     const unsigned char *w, int cols, int apart)
{
    enum { SUMS = 2, COLUMNS = SUMS * LANES };
    const size_t size = element_size(dtype), stride = (size_t)apart * (size_t)cols * size;
    vector sum[ONE_ROWS][SUMS];
    UNROLL
    for (int r = 0; r < n_rows; r++) {
        sum[r][0] = zero();
        sum[r][1] = zero();
    }
    int i = 0;
    for (; i + COLUMNS <= cols; i += COLUMNS) {
        UNROLL
        for (int r = 0; r < n_rows; r++) {
            const unsigned char *from = w + (size_t)r * stride + (size_t)i * size;
            for (size_t byte = 0; byte < COLUMNS * size; byte += LINE) {
                __builtin_prefetch(from + byte + PREFETCH);
            }
            UNROLL
            for (int j = 0; j < SUMS; j++) {
                vector weights = load_weights(from + (size_t)(j * LANES) * size, dtype);
                sum[r][j] = multiply_add(weights, load(x + i + j * LANES), sum[r][j]);
            }
        }
    }
    UNROLL
    for (int r = 0; r < n_rows; r++) {
        const unsigned char *row = w + (size_t)r * stride;
        int k = i;
        if (k + LANES <= cols) {
            sum[r][0] = multiply_add(load_weights(row + (size_t)k * size, dtype), load(x + k), sum[r][0]);
            k += LANES;
        }
        if (k < cols) {
            vector weights = load_first_weights(row + (size_t)k * size, dtype, cols - k);
            sum[r][1] = multiply_add(weights, load_first(x + k, cols - k), sum[r][1]);
        }
        y[r * apart] = add_lanes(add(sum[r][0], sum[r][1]));
    }
}

INLINE void one_of(const enum dtype dtype, float *y, const float *x, const unsigned char *w, int cols,
                   int n_rows)
{
    const size_t row_size = (size_t)cols * element_size(dtype);
    const int apart = n_rows / ONE_ROWS;
    for (int o = 0; o < apart; o++) {
        one_tile(dtype, ONE_ROWS, y + o, x, w + (size_t)o * row_size, cols, apart);
    }
    for (int o = ONE_ROWS * apart; o < n_rows; o++) {
        one_tile(dtype, 1, y + o, x, w + (size_t)o * row_size, cols, 0);
    }
}

static void one(const struct matmul_part *part, const float *x, int first, int end)
{
    const struct tensor *w = part->w;
    const unsigned char *from = matmul_address(w, first, 0);
    float *y = part->y + first;
    switch (w->dtype) {
    case DTYPE_F32: one_of(DTYPE_F32, y, x, from, w->cols, end - first); break;
    case DTYPE_BF16: one_of(DTYPE_BF16, y, x, from, w->cols, end - first); break;
    case DTYPE_F16: one_of(DTYPE_F16, y, x, from, w->cols, end - first); break;
    }
    for (int o = first; o < end && tensor_present(part->bias); o++) {
        part->y[o] += tensor_at(part->bias, 0, o);
    }
}

/* ---- Several tokens: tiles of rows x tokens ---- */

/* Half of a step's weights, widened. Of bfloat16 the even columns, then the odd ones: each half of a 32-bit word becomes a
 * float32 with one instruction, where moving it to a place of its own takes another. */
INLINE vector load_half(const unsigned char *from, const enum dtype dtype, const int half)
{
    if (dtype == DTYPE_BF16) {
        return half == 0 ? load_even(from) : load_odd(from);
    }
    return load_weights(from + (size_t)half * LANES * element_size(dtype), dtype);
}

/* Activations in the order in which load_half gives weights; n < FEW_STEP: zeros behind them. */
static void few_arrange(float *to, const float *x, int n, enum dtype dtype)
{
    float padded[FEW_STEP] = {0};
    if (n < FEW_STEP) {
        memcpy(padded, x, (size_t)n * sizeof *x);
        x = padded;
    }
    vector first = load(x), second = load(x + LANES);
    store(to, dtype == DTYPE_BF16 ? even_lanes(first, second) : first);
    store(to + LANES, dtype == DTYPE_BF16 ? odd_lanes(first, second) : second);
}

INLINE void few_step(const enum dtype dtype, const int n_rows, const int n_tokens,
                     vector sum[FEW_ROWS][FEW_TOKENS], const float *x, const unsigned char *w, size_t stride)
{
    vector activations[FEW_TOKENS];
    UNROLL
    for (int half = 0; half < 2; half++) {
        UNROLL
        for (int t = 0; t < n_tokens; t++) {
            activations[t] = load(x + t * FEW_STEP + half * LANES);
            keep(&activations[t]);
        }
        UNROLL
        for (int r = 0; r < n_rows; r++) {
            vector weights = load_half(w + (size_t)r * stride, dtype, half);
            keep(&weights);
            UNROLL
            for (int t = 0; t < n_tokens; t++) {
                sum[r][t] = multiply_add(weights, activations[t], sum[r][t]);
            }
        }
    }
}

INLINE void few_tile(const enum dtype dtype, const int n_rows, const int n_tokens, float *y, size_t y_stride,
                     const float *bias, const float *x, const struct matmul_strip *w)
{
    const size_t step_size = FEW_STEP * element_size(dtype),
                 row_size = (size_t)w->n_cols * element_size(dtype);
    const unsigned char *from = w->data, *ahead = w->ahead, *ahead_end = w->ahead_end;
    const size_t stride = w->stride, ahead_step = w->ahead_step;
    const int n_steps = w->n_cols / FEW_STEP;
    vector sum[FEW_ROWS][FEW_TOKENS];
    UNROLL
    for (int r = 0; r < FEW_ROWS; r++) {
        UNROLL
        for (int t = 0; t < n_tokens; t++) {
            sum[r][t] = zero();
        }
    }
    for (int step = 0; step < n_steps; step++) {
        for (size_t byte = 0; byte < ahead_step; byte += LINE) {
            __builtin_prefetch(ahead + byte);
        }
        ahead += ahead_step;
        if (ahead >= ahead_end) { /* the next row */
            ahead += stride - row_size;
            ahead_end += stride;
        }
        few_step(dtype, n_rows, n_tokens, sum, x, from, stride);
        x += n_tokens * FEW_STEP;
        from += step_size;
    }
    int n_left = w->n_cols % FEW_STEP;
    if (n_left > 0) { /* a copy with zeros: what lies behind a row may not be read */
        unsigned char last[FEW_ROWS][FEW_STEP * sizeof(float)] = {{0}};
        for (int r = 0; r < n_rows; r++) {
            memcpy(last[r], from + (size_t)r * w->stride, (size_t)n_left * element_size(dtype));
        }
        few_step(dtype, n_rows, n_tokens, sum, x, last[0], sizeof last[0]);
    }
    UNROLL
    for (int t = 0; t < n_tokens; t++) {
        float sums[4];
        add_lanes_4(sums, sum[0][t], sum[1][t], FEW_ROWS > 2 ? sum[FEW_ROWS > 2 ? 2 : 0][t] : zero(),
                    FEW_ROWS > 3 ? sum[FEW_ROWS - 1][t] : zero());
        for (int r = 0; r < n_rows; r++) {
            float *to = y + (size_t)t * y_stride + r;
            *to = sums[r] + (bias != NULL ? bias[r] : *to);
        }
    }
}

#define FEW_OF(dtype, n)                                                                                     \
    if (w->n_rows == FEW_ROWS) {                                                                             \
        few_tile(dtype, FEW_ROWS, n, y, y_stride, bias, x, w);                                               \
    } else {                                                                                                 \
        few_tile(dtype, 1, n, y, y_stride, bias, x, w);                                                      \
    }                                                                                                        \
    break;
#define FEW_CASE(n)                                                                                          \
    case n:                                                                                                  \
        switch (w->dtype) {                                                                                  \
        case DTYPE_F32: FEW_OF(DTYPE_F32, n)                                                                 \
        case DTYPE_BF16: FEW_OF(DTYPE_BF16, n)                                                               \
        case DTYPE_F16: FEW_OF(DTYPE_F16, n)                                                                 \
        }                                                                                                    \
        break;

static void few_multiply(float *y, size_t y_stride, const float *bias, const float *x,
                         const struct matmul_strip *w, int n_tokens)
{
    switch (n_tokens) {
        FEW_CASE(1)
        FEW_CASE(2)
        FEW_CASE(3)
#if FEW_TOKENS > 3
        FEW_CASE(4)
#endif
#if FEW_TOKENS > 4
        FEW_CASE(5)
        FEW_CASE(6)
#endif
    }
}

static void few(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens, int first,
                int end)
{
    static const struct matmul_stream stream = {FEW_ROWS, FEW_TOKENS, FEW_STEP, few_arrange, few_multiply};
    if (n_tokens == 1) {
        one(part, x, first, end);
    } else {
        matmul_streamed(&stream, part, x, x_stride, n_tokens, first, end);
    }
}

#endif
