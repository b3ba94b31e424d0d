#include "exercises.h"

void turn_half(float *x, int n_heads, int head_dim, const float *cosine, const float *sine)
{
    int half = head_dim / 2;
    if (n_heads == 0) {
        return;
    }
    for (int i = 0; i < half; i++) {
        float a = x[i], b = x[i + half];
        x[i] = a * cosine[i] - b * sine[i];
        x[i + half] = a * sine[i] + b * cosine[i];
    }
}
