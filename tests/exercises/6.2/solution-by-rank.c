#include "exercises.h"

/* Rank by rank: the first that occurs anywhere is the lowest. */
int merge_once(int *token, int n, const int *merges, int n_merges)
{
    for (int rank = 0; rank < n_merges; rank++) {
        const int *merge = merges + 3 * rank;
        for (int i = 0; i + 1 < n; i++) {
            if (token[i] == merge[0] && token[i + 1] == merge[1]) {
                token[i] = merge[2];
                for (int j = i + 1; j + 1 < n; j++) {
                    token[j] = token[j + 1];
                }
                return n - 1;
            }
        }
    }
    return n;
}
