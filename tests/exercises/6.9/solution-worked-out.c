#include "exercises.h"

void predict_model(double *answer)
{
    int d = 192, kv = 2 * 32, d_ff = 512, n_layers = 6, vocab_size = 2048;
    int attention = d * d + d + 2 * (kv * d + kv) + d * d;
    int layer = attention + 3 * d * d_ff + 2 * d;
    answer[0] = vocab_size * d + n_layers * layer + d;
    answer[1] = 1;
    answer[2] = answer[0] * 2 / 1e6;
    answer[3] = n_layers * 2 * kv * 4;
}
