#include "exercises.h"

void turn_half(float *x, int n_heads, int head_dim, const float *cosine, const float *sine)
{
    int half = head_dim / 2;
    for (int i = 0; i < half; i++) {
        for (int h = n_heads - 1; h >= 0; h--) {
            const double old[2] = {x[h * head_dim + i], x[h * head_dim + half + i]};
            for (int j = 0; j < 2; j++) { /* x * cos + [-second, first] * sin */
                double quarter = j == 0 ? -old[1] : old[0];
                x[h * head_dim + j * half + i] = (float)(quarter * sine[i] + old[j] * cosine[i]);
            }
        }
    }
}
