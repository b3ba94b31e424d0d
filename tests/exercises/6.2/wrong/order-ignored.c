#include <string.h>

#include "exercises.h"

static int rank_of(int left, int right, const int *merges, int n_merges)
{
    for (int rank = 0; rank < n_merges; rank++) {
        int a = merges[3 * rank], b = merges[3 * rank + 1];
        if ((a == left && b == right) || (a == right && b == left)) {
            return rank;
        }
    }
    return n_merges;
}

int merge_once(int *token, int n, const int *merges, int n_merges)
{
    int best = n_merges, place = -1;
    for (int i = 0; i + 1 < n; i++) {
        int rank = rank_of(token[i], token[i + 1], merges, n_merges);
        if (rank < best) {
            best = rank;
            place = i;
        }
    }
    if (place < 0) {
        return n;
    }
    token[place] = merges[3 * best + 2];
    memmove(token + place + 1, token + place + 2, (size_t)(n - place - 2) * sizeof *token);
    return n - 1;
}
