#include <string.h>

#include "exercises.h"

/* Row after row one key more. */
void causal_mask(int *visible, int n_new, int n_cached)
{
    int *row = visible;
    for (int seen = n_cached + 1; seen <= n_cached + n_new; seen++) {
        memset(row, 0, (size_t)(n_cached + n_new) * sizeof *row);
        for (int key = 0; key < seen; key++) {
            row[key] = 1;
        }
        row += n_cached + n_new;
    }
}
