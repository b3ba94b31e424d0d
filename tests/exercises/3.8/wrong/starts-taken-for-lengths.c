#include "exercises.h"

void packed_positions(int *position, const int *start, int n_sequences)
{
    int t = 0, n_tokens = start[n_sequences];
    for (int s = 1; s <= n_sequences; s++) {
        for (int i = 0; i < start[s] && t < n_tokens; i++) {
            position[t++] = i;
        }
    }
}
