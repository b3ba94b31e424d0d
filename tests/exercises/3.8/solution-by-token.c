#include "exercises.h"

void packed_positions(int *position, const int *start, int n_sequences)
{
    int s = 0, next = 0;
    for (int t = 0; t < start[n_sequences]; t++) {
        while (t >= start[s + 1]) {
            s++;
            next = 0;
        }
        position[t] = next++;
    }
}
