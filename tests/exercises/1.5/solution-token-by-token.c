#include "exercises.h"

/* x is seq_len * batch vectors in a row; batch of them have the same position. */
void add_encoding(float *x, const float *encoding, int seq_len, int batch, int d_model)
{
    for (int token = 0; token < seq_len * batch; token++) {
        const float *row = encoding + token / batch * d_model;
        for (int j = 0; j < d_model; j++) {
            *x++ += row[j];
        }
    }
}
