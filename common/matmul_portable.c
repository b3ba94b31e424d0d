/* The kernel of every machine, in plain C.
 *
 * A block of one weight row is widened to float32 once and then multiplied with every token. Sixteen running sums
 * instead of one: they do not wait for each other, and the compiler may keep them in vector registers. */
#include <math.h>
#include <string.h>

#include "common/matmul_kernels.h"
#include "common/require.h"

enum { BLOCK = 512, LANES = 16 };

static bool always(void)
{
    return true;
}

static float dot(const float *a, const float *b, int n)
{
    float sum[LANES] = {0};
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        for (int lane = 0; lane < LANES; lane++)
            sum[lane] += a[i + lane] * b[i + lane];
    }
    for (int lane = 0; i < n; i++, lane++)
        sum[lane] += a[i] * b[i];
    for (int half = LANES / 2; half > 0; half /= 2) {
        for (int lane = 0; lane < half; lane++)
            sum[lane] += sum[lane + half];
    }
    return sum[0];
}

static void add_scaled(float *y, float scale, const float *x, int n)
{
    for (int i = 0; i < n; i++)
        y[i] += scale * x[i];
}

/* n elements of a row, starting at byte address from; any alignment. */
static void widen(float *out, const unsigned char *from, enum dtype dtype, int n)
{
    if (dtype == DTYPE_F32) {
        memcpy(out, from, (size_t)n * sizeof *out);
        return;
    }
    for (int i = 0; i < n; i++) {
        uint16_t half;
        memcpy(&half, from + 2 * (size_t)i, sizeof half);
        if (dtype == DTYPE_F16) {
            out[i] = f16_to_f32(half);
        } else {
            uint32_t bits = (uint32_t)half << 16;
            memcpy(&out[i], &bits, sizeof bits);
        }
    }
}

static void widen_and_dot(const struct matmul_part *part, const float *x, size_t x_stride, int n_tokens,
                          int first, int end)
{
    const struct tensor *w = part->w;
    size_t size = dtype_size(w->dtype);
    float block[BLOCK];
    for (int o = first; o < end; o++) {
        const unsigned char *row = matmul_address(w, o, 0);
        float bias = tensor_present(part->bias) ? tensor_at(part->bias, 0, o) : 0.0f;
        for (int t = 0; t < n_tokens; t++)
            part->y[(size_t)t * part->y_stride + (size_t)o] = bias;
        for (int from = 0; from < w->cols; from += BLOCK) {
            int n = w->cols - from < BLOCK ? w->cols - from : BLOCK;
            widen(block, row + (size_t)from * size, w->dtype, n);
            for (int t = 0; t < n_tokens; t++) {
                part->y[(size_t)t * part->y_stride + (size_t)o] +=
                    dot(block, x + (size_t)t * x_stride + from, n);
            }
        }
    }
}

static void score_few(float *y, size_t y_stride, const float *x, size_t x_stride, const struct tensor *k,
                      int n_rows)
{
    const float *keys = k->data;
    for (int t = 0; t < n_rows; t++) {
        for (int s = 0; s < k->rows; s++) {
            y[(size_t)t * y_stride + (size_t)s] =
                dot(x + (size_t)t * x_stride, keys + (size_t)s * (size_t)k->cols, k->cols);
        }
    }
}

static void add_mixed(float *y, size_t y_stride, const float *x, size_t x_stride, const struct tensor *v,
                      int n_rows)
{
    const float *values = v->data;
    for (int t = 0; t < n_rows; t++) {
        for (int k = 0; k < v->rows; k++) {
            add_scaled(y + (size_t)t * y_stride, x[(size_t)t * x_stride + (size_t)k],
                       values + (size_t)k * (size_t)v->cols, v->cols);
        }
    }
}

static float largest(const float *x, int n)
{
    float most = x[0];
    for (int i = 1; i < n; i++) {
        most = x[i] > most ? x[i] : most;
    }
    return most;
}

static float exp_sum(float *x, float shift, int n)
{
    float sum = 0.0F;
    for (int i = 0; i < n; i++) {
        x[i] = expf(x[i] - shift);
        sum += x[i];
    }
    return sum;
}

static void silu_multiply(float *gate, const float *up, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        gate[i] = gate[i] / (1.0F + expf(-gate[i])) * up[i];
    }
}

const struct matmul_kernel matmul_portable = {.name = "portable",
                                              .built_in = true,
                                              .usable = always,
                                              .few = widen_and_dot,
                                              .many = widen_and_dot,
                                              .dot = dot,
                                              .add_scaled = add_scaled,
                                              .score_few = score_few,
                                              .add_mixed = add_mixed,
                                              .largest = largest,
                                              .exp_sum = exp_sum,
                                              .silu_multiply = silu_multiply};
