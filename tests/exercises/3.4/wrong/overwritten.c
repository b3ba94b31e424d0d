#include "exercises.h"

void turn_half(float *x, int n_heads, int head_dim, const float *cosine, const float *sine)
{
    int half = head_dim / 2;
    for (int h = 0; h < n_heads; h++) {
        float *head = x + h * head_dim;
        for (int i = 0; i < half; i++) {
            head[i] = head[i] * cosine[i] - head[i + half] * sine[i];
            head[i + half] = head[i] * sine[i] + head[i + half] * cosine[i];
        }
    }
}
