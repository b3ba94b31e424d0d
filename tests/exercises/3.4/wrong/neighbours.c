#include "exercises.h"

void turn_half(float *x, int n_heads, int head_dim, const float *cosine, const float *sine)
{
    for (int h = 0; h < n_heads; h++) {
        float *head = x + h * head_dim;
        for (int i = 0; i < head_dim / 2; i++) {
            float a = head[2 * i], b = head[2 * i + 1];
            head[2 * i] = a * cosine[i] - b * sine[i];
            head[2 * i + 1] = a * sine[i] + b * cosine[i];
        }
    }
}
