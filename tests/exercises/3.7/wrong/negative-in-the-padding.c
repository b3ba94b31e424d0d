#include "exercises.h"

void token_positions(int *position, const int *n_padding, int n_rows, int n_cached, int n_new)
{
    for (int r = 0; r < n_rows; r++) {
        for (int t = 0; t < n_new; t++) {
            position[r * n_new + t] = n_cached + t - n_padding[r];
        }
    }
}
