/* matmul_elements.h: what a kernel does with vectors one element after the other, in terms of the vector of matmul_vector.h
 * and some more of its operations:
 *
 *     maximum(a, b), minimum(a, b)     b where a lane of either is not a number
 *     divide(a, b), nearest(v), power_of_two(v) = 2^v for whole numbers v from -126 to 127
 *
 * Introduced in chapter 4. */
#ifndef COMMON_MATMUL_ELEMENTS_H
#define COMMON_MATMUL_ELEMENTS_H

/* ---- Sums ---- */

static float dot(const float *a, const float *b, int n)
{
    enum { SUMS = 4, STEP = SUMS * LANES };
    vector sum[SUMS];
    UNROLL
    for (int j = 0; j < SUMS; j++) {
        sum[j] = zero();
    }
    int i = 0;
    for (; i + STEP <= n; i += STEP) {
        UNROLL
        for (int j = 0; j < SUMS; j++) {
            sum[j] = multiply_add(load(a + i + j * LANES), load(b + i + j * LANES), sum[j]);
        }
    }
    for (; i + LANES <= n; i += LANES) {
        sum[0] = multiply_add(load(a + i), load(b + i), sum[0]);
    }
    if (i < n) {
        sum[1] = multiply_add(load_first(a + i, n - i), load_first(b + i, n - i), sum[1]);
    }
    return add_lanes(add(add(sum[0], sum[1]), add(sum[2], sum[3])));
}

static void add_scaled(float *y, float scale, const float *x, int n)
{
    vector factor = broadcast(scale);
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        store(y + i, multiply_add(factor, load(x + i), load(y + i)));
    }
    if (i < n) {
        store_first(y + i, multiply_add(factor, load_first(x + i, n - i), load_first(y + i, n - i)), n - i);
    }
}

/* ---- Exponentials ---- */

/* e^x = 2^n e^r with n whole and |r| <= ln(2) / 2, e^r by its Taylor series: r^8 / 8! is below 6e-9. Correct to 2 units in
 * the last place from -87 to 88, beyond which it stays what it is there. */
INLINE vector exponential(vector x)
{
    static const float coefficients[] = {1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 0.5F, 1.0F, 1.0F};
    x = maximum(broadcast(-87.3F), minimum(broadcast(88.3F), x));
    vector n = nearest(multiply_add(x, broadcast(1.44269504F), zero()));
    /* ln 2 in two parts: n times the first is exact */
    vector r = multiply_add(n, broadcast(-0.693359375F), x);
    r = multiply_add(n, broadcast(2.12194440e-4F), r);
    vector sum = broadcast(1.0F / 5040);
    UNROLL
    for (int i = 0; i < 7; i++) {
        sum = multiply_add(sum, r, broadcast(coefficients[i]));
    }
    return multiply_add(sum, power_of_two(n), zero());
}

static float largest(const float *x, int n)
{
    vector most = broadcast(x[0]);
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        most = maximum(most, load(x + i));
    }
    float lanes[LANES], result = x[0];
    store(lanes, most);
    for (int lane = 0; lane < LANES; lane++) {
        result = lanes[lane] > result ? lanes[lane] : result;
    }
    for (; i < n; i++) {
        result = x[i] > result ? x[i] : result;
    }
    return result;
}

static float exp_sum(float *x, float shift, int n)
{
    vector sum = zero(), minus = broadcast(-shift);
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        vector e = exponential(add(load(x + i), minus));
        store(x + i, e);
        sum = add(sum, e);
    }
    float total = add_lanes(sum);
    if (i < n) {
        store_first(x + i, exponential(add(load_first(x + i, n - i), minus)), n - i);
        for (; i < n; i++) {
            total += x[i];
        }
    }
    return total;
}

INLINE vector silu_times(vector gate, vector up)
{
    vector e = exponential(multiply_add(gate, broadcast(-1.0F), zero()));
    return multiply_add(divide(gate, add(e, broadcast(1.0F))), up, zero());
}

static void silu_multiply(float *gate, const float *up, size_t n)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        store(gate + i, silu_times(load(gate + i), load(up + i)));
    }
    if (i < n) {
        int left = (int)(n - i);
        store_first(gate + i, silu_times(load_first(gate + i, left), load_first(up + i, left)), left);
    }
}

#endif
