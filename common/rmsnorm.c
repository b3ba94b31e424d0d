#include "common/rmsnorm.h"

#include <math.h>

#include "common/bf16.h"
#include "common/matmul.h"
#include "common/require.h"

/* Squares are summed in float64: x = 1e20 does not overflow, and the order of the sum does not matter at float32. So four
 * sums are made at a time: one alone waits for each addition to end before the next begins. */
static double mean_square(const float *x, int n)
{
    double sum[4] = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        for (int j = 0; j < 4; j++) {
            sum[j] += (double)x[i + j] * (double)x[i + j];
        }
    }
    for (; i < n; i++) {
        sum[0] += (double)x[i] * (double)x[i];
    }
    return (sum[0] + sum[1] + sum[2] + sum[3]) / n;
}

enum { GROUP_ROWS = 32, BLOCK_COLS = 256 }; /* buffers of fixed size: nothing to allocate */

/* At most GROUP_ROWS rows. A block of the weight is widened once for all of them. */
static void norm_group(float *out, const float *x, const struct tensor *weight, double eps, int n_rows,
                       int n_cols)
{
    double scale[GROUP_ROWS];
    float gain[BLOCK_COLS];
    for (int t = 0; t < n_rows; t++) {
        scale[t] = 1.0 / sqrt(mean_square(x + (size_t)t * (size_t)n_cols, n_cols) + eps);
    }
    for (int first = 0; first < n_cols; first += BLOCK_COLS) {
        int n = n_cols - first < BLOCK_COLS ? n_cols - first : BLOCK_COLS;
        const unsigned char *data = weight->data;
        const struct tensor block = {data + (size_t)first * dtype_size(weight->dtype), weight->dtype, 1, n};
        tensor_row(gain, &block, 0);
        for (int t = 0; t < n_rows; t++) {
            size_t start = (size_t)t * (size_t)n_cols + (size_t)first;
            for (int i = 0; i < n; i++) {
                out[start + (size_t)i] = gain[i] * (float)((double)x[start + (size_t)i] * scale[t]);
            }
        }
    }
}

void rmsnorm(float *out, const float *x, const struct tensor *weight, double eps, int n_rows, int n_cols)
{
    REQUIRE(n_rows >= 0 && n_cols > 0);
    REQUIRE(weight->rows == 1 && weight->cols == n_cols);
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(matmul_threads()) if (n_rows > GROUP_ROWS)
#endif
    for (int first = 0; first < n_rows; first += GROUP_ROWS) {
        size_t start = (size_t)first * (size_t)n_cols;
        int n = n_rows - first < GROUP_ROWS ? n_rows - first : GROUP_ROWS;
        norm_group(out + start, x + start, weight, eps, n, n_cols);
    }
}

void rmsnorm_bf16(uint16_t *out, const uint16_t *x, const uint16_t *weight, double eps, int n_rows,
                  int n_cols)
{
    REQUIRE(n_rows >= 0 && n_cols > 0);
    for (int t = 0; t < n_rows; t++) {
        const uint16_t *row = x + (size_t)t * (size_t)n_cols;
        uint16_t *result = out + (size_t)t * (size_t)n_cols;
        double sum = 0.0;
        for (int i = 0; i < n_cols; i++) {
            double value = (double)bf16_to_f32(row[i]);
            sum += value * value;
        }
        float scale = 1.0F / sqrtf((float)(sum / n_cols) + (float)eps);
        for (int i = 0; i < n_cols; i++) {
            float normed = bf16_round(bf16_to_f32(row[i]) * scale);
            result[i] = bf16_from_f32(bf16_to_f32(weight[i]) * normed);
        }
    }
}
