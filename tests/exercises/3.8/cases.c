#include "child.h"
#include "exercises.h"

static void one(const char *name, const int *start, int n_sequences)
{
    ex_case(name);
    ex_ints("start", start, n_sequences + 1);
    int *position = ex_out_ints("position", start[n_sequences]);
    packed_positions(position, start, n_sequences);
    ex_end();
}

void exercise_cases(void)
{
    one("the example", (int[]){0, 3, 5}, 2);
    one("three sequences", (int[]){0, 3, 5, 9}, 3);
    one("an empty one between two", (int[]){0, 3, 3, 5}, 3);
    one("empty ones at both ends", (int[]){0, 0, 2, 4, 4}, 4);
    one("an empty one, then two more", (int[]){0, 2, 2, 4, 6}, 4);
    one("two empty ones first", (int[]){0, 0, 0, 2, 4}, 4);
    one("two empty ones, then two of one token", (int[]){0, 0, 0, 1, 2}, 4);
    one("only one sequence", (int[]){0, 6}, 1);
    one("sequences of one token", (int[]){0, 1, 2, 3}, 3);
}
