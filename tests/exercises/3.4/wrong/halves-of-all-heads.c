#include "exercises.h"

void turn_half(float *x, int n_heads, int head_dim, const float *cosine, const float *sine)
{
    int half = n_heads * head_dim / 2;
    for (int i = 0; i < half; i++) {
        int pair = i % (head_dim / 2);
        float a = x[i], b = x[i + half];
        x[i] = a * cosine[pair] - b * sine[pair];
        x[i + half] = a * sine[pair] + b * cosine[pair];
    }
}
