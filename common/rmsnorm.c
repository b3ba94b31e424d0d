#include "common/rmsnorm.h"

#include <math.h>

#include "common/bf16.h"
#include "common/require.h"

/* Squares are summed in float64: x = 1e20 does not overflow, and the order of the sum does not matter at float32. */
static double mean_square(const float *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += (double)x[i] * (double)x[i];
    }
    return sum / n;
}

void rmsnorm(float *out, const float *x, const struct tensor *weight, double eps, int n_rows, int n_cols)
{
    REQUIRE(n_rows >= 0 && n_cols > 0);
    REQUIRE(weight->rows == 1 && weight->cols == n_cols);
    for (int t = 0; t < n_rows; t++) {
        const float *row = x + (size_t)t * (size_t)n_cols;
        float *result = out + (size_t)t * (size_t)n_cols;
        double scale = 1.0 / sqrt(mean_square(row, n_cols) + eps);
        for (int i = 0; i < n_cols; i++) {
            result[i] = tensor_at(weight, 0, i) * (float)((double)row[i] * scale);
        }
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
