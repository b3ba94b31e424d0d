#include "exercises.h"

void turn_half(float *x, int n_heads, int head_dim, const float *cosine, const float *sine)
{
    int half = head_dim / 2;
    for (int h = 0; h < n_heads; h++) {
        float *head = x + h * head_dim;
        for (int i = 0; i < half; i++) {
            float a = head[i], b = head[i + half];
            head[i] = a * cosine[i] + b * sine[i];
            head[i + half] = b * cosine[i] - a * sine[i];
        }
    }
}
