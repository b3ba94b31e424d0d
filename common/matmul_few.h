/* matmul_few.h: the products of a few tokens, in terms of one vector; included by matmul_vector.h.
 * Introduced in chapter 4.
 *
 * Such products are bound by memory: the weights are read once, as they lie, and widened in registers. With eight tokens
 * arithmetic takes as long as reading: both must go on at the same time, so every step asks for a share of the rows that
 * come later. */
#ifndef COMMON_MATMUL_FEW_H
#define COMMON_MATMUL_FEW_H

enum {
    SIDE_ROWS = 3,
    SIDE_TOKENS = 4,     /* 3 x 4 sums, 3 weights and an activation are 16 registers, all that AVX2 has */
    FEW_STEP = 2 * LANES /* columns of several tokens, multiplied together */
};

/* ---- One to four tokens: rows side by side ---- */

/* y[t, row] for all tokens, from sums of lanes. */
INLINE void side_write(const int n_tokens, float *y, size_t y_stride, vector sum[SIDE_TOKENS][2])
{
    vector all[SIDE_TOKENS];
    float sums[SIDE_TOKENS];
    UNROLL
    for (int t = 0; t < SIDE_TOKENS; t++) {
        all[t] = t >= n_tokens ? zero() : n_tokens <= 2 ? add(sum[t][0], sum[t][1]) : sum[t][0];
    }
    add_lanes_4(sums, all[0], all[1], all[2], all[3]);
    for (int t = 0; t < n_tokens; t++) {
        y[(size_t)t * y_stride] = sums[t];
    }
}

/* Rows far apart, read side by side: where pages are of 4 kB the processor itself follows several streams better than
 * one, and a load of x serves all of them. One or two tokens have two sums a row, so that none waits for another. */
INLINE void side_tile(const enum dtype dtype, const int n_rows, const int n_tokens, float *y, size_t y_stride,
                      const float *x, size_t x_stride, const unsigned char *w, int cols, int apart)
{
    const size_t size = element_size(dtype), stride = (size_t)apart * (size_t)cols * size;
    const int second = n_tokens <= 2 ? 1 : 0;
    vector sum[SIDE_ROWS][SIDE_TOKENS][2];
    UNROLL
    for (int r = 0; r < n_rows; r++) {
        UNROLL
        for (int t = 0; t < n_tokens; t++) {
            sum[r][t][0] = zero();
            sum[r][t][second] = zero();
        }
    }
    int i = 0;
    for (; i + 2 * LANES <= cols; i += 2 * LANES) {
        UNROLL
        for (int half = 0; half < 2; half++) {
            const int k = i + half * LANES;
            vector weights[SIDE_ROWS];
            UNROLL
            for (int r = 0; r < n_rows; r++) {
                const unsigned char *from = w + (size_t)r * stride + (size_t)k * size;
                if (half == 0 || size * LANES >= LINE) {
                    __builtin_prefetch(from + PREFETCH);
                }
                weights[r] = load_weights(from, dtype);
            }
            UNROLL
            for (int t = 0; t < n_tokens; t++) {
                vector activations = load(x + (size_t)t * x_stride + k);
                UNROLL
                for (int r = 0; r < n_rows; r++) {
                    sum[r][t][half & second] =
                        multiply_add(weights[r], activations, sum[r][t][half & second]);
                }
            }
        }
    }
    for (; i < cols; i += LANES) {
        const int n = smaller(LANES, cols - i);
        UNROLL
        for (int r = 0; r < n_rows; r++) {
            const unsigned char *from = w + (size_t)r * stride + (size_t)i * size;
            vector weights = n == LANES ? load_weights(from, dtype) : load_first_weights(from, dtype, n);
            UNROLL
            for (int t = 0; t < n_tokens; t++) {
                const float *some = x + (size_t)t * x_stride + i;
                vector activations = n == LANES ? load(some) : load_first(some, n);
                sum[r][t][0] = multiply_add(weights, activations, sum[r][t][0]);
            }
        }
    }
    UNROLL
    for (int r = 0; r < n_rows; r++) {
        side_write(n_tokens, y + r * apart, y_stride, sum[r]);
    }
}

INLINE void side_rows(const enum dtype dtype, const int n_tokens, float *y, size_t y_stride, const float *x,
                      size_t x_stride, const unsigned char *w, int cols, int n_rows)
{
    const size_t row_size = (size_t)cols * element_size(dtype);
    const int apart = n_rows / SIDE_ROWS;
    for (int o = 0; o < apart; o++) {
        side_tile(dtype, SIDE_ROWS, n_tokens, y + o, y_stride, x, x_stride, w + (size_t)o * row_size, cols,
                  apart);
    }
    for (int o = SIDE_ROWS * apart; o < n_rows; o++) {
        side_tile(dtype, 1, n_tokens, y + o, y_stride, x, x_stride, w + (size_t)o * row_size, cols, 0);
    }
}

INLINE void side_of(const int n_tokens, const struct matmul_part *part, const float *x, size_t x_stride,
                    int first, int end)
{
    const unsigned char *w = matmul_address(part->w, first, 0);
    const int cols = part->w->cols, n_rows = end - first;
    const size_t y_stride = part->y_stride;
    float *y = part->y + first;
    switch (part->w->dtype) {
    case DTYPE_F32: side_rows(DTYPE_F32, n_tokens, y, y_stride, x, x_stride, w, cols, n_rows); break;
    case DTYPE_BF16: side_rows(DTYPE_BF16, n_tokens, y, y_stride, x, x_stride, w, cols, n_rows); break;
    case DTYPE_F16: side_rows(DTYPE_F16, n_tokens, y, y_stride, x, x_stride, w, cols, n_rows); break;
    }
}

static void side_by_side(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens,
                         int first, int end)
{
    switch (n_tokens) {
    case 1: side_of(1, part, x, x_stride, first, end); break;
    case 2: side_of(2, part, x, x_stride, first, end); break;
    case 3: side_of(3, part, x, x_stride, first, end); break;
    case 4: side_of(4, part, x, x_stride, first, end); break;
    }
    for (int t = 0; t < n_tokens; t++) {
        for (int o = first; o < end && tensor_present(part->bias); o++) {
            part->y[(size_t)t * part->y_stride + (size_t)o] += tensor_at(part->bias, 0, o);
        }
    }
}

/* ---- More tokens: tiles of rows x tokens ---- */

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
    if (n_tokens <= SIDE_TOKENS) {
        side_by_side(part, x, x_stride, n_tokens, first, end);
    } else {
        matmul_streamed(&stream, part, x, x_stride, n_tokens, first, end);
    }
}

#endif
