#include "exercises.h"

/* if, where it must be while: two empty sequences are not passed in one step. */
void packed_positions(int *position, const int *start, int n_sequences)
{
    int s = 0;
    for (int t = 0; t < start[n_sequences]; t++) {
        if (t >= start[s + 1]) {
            s++;
        }
        position[t] = t - start[s];
    }
}
