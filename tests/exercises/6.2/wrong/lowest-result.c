#include "exercises.h"

/* Takes the lowest new token for the lowest rank. */
int merge_once(int *token, int n, const int *merges, int n_merges)
{
    int best = -1, place = -1;
    for (int i = 0; i + 1 < n; i++) {
        for (int rank = 0; rank < n_merges; rank++) {
            const int *merge = merges + 3 * rank;
            if (token[i] == merge[0] && token[i + 1] == merge[1] && (best < 0 || merge[2] < best)) {
                best = merge[2];
                place = i;
            }
        }
    }
    if (place < 0) {
        return n;
    }
    token[place] = best;
    for (int j = place + 1; j + 1 < n; j++) {
        token[j] = token[j + 1];
    }
    return n - 1;
}
