#include <string.h>

#include "exercises.h"

void permute_to_half(float *new_weight, float *new_bias, const float *weight, const float *bias, int n_heads,
                     int head_dim, int n_columns)
{
    int half = head_dim / 2;
    for (int h = 0; h < n_heads; h++) {
        for (int i = 0; i < head_dim; i++) {
            int to = h * head_dim + i;
            int from = h * head_dim + (i < half ? 2 * i : 2 * (i - half) + 1);
            new_bias[to] = bias[from];
            for (int c = 0; c < n_columns; c++) {
                new_weight[to * n_columns + c] = weight[from * n_columns + c];
            }
        }
    }
}
