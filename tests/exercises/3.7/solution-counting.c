#include "exercises.h"

void token_positions(int *position, const int *n_padding, int n_rows, int n_cached, int n_new)
{
    for (int r = 0; r < n_rows; r++) {
        int next = n_cached > n_padding[r] ? n_cached - n_padding[r] : 0; /* real tokens so far */
        for (int slot = n_cached; slot < n_cached + n_new; slot++) {
            *position++ = slot < n_padding[r] ? 0 : next++;
        }
    }
}
