#include <string.h>

#include "exercises.h"

void permute_to_half(float *new_weight, float *new_bias, const float *weight, const float *bias, int n_heads,
                     int head_dim, int n_columns)
{
    for (int r = 0; r < n_heads * head_dim; r++) {
        for (int c = 0; c < n_columns; c++) {
            int to = c / 2 + (c % 2) * ((n_columns + 1) / 2);
            new_weight[r * n_columns + to] = weight[r * n_columns + c];
        }
        int in_head = r % head_dim;
        new_bias[r - in_head + in_head / 2 + (in_head % 2) * (head_dim / 2)] = bias[r];
    }
}
