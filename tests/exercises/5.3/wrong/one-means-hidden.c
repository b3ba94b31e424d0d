#include "exercises.h"

void causal_mask(int *visible, int n_new, int n_cached)
{
    int n_keys = n_cached + n_new;
    for (int query = 0; query < n_new; query++) {
        for (int key = 0; key < n_keys; key++) {
            visible[query * n_keys + key] = key > n_cached + query;
        }
    }
}
