#include "exercises.h"

void packed_positions(int *position, const int *start, int n_sequences)
{
    for (int t = 0; t < start[n_sequences]; t++) {
        position[t] = t;
    }
}
