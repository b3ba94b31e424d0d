#include "child.h"
#include "exercises.h"

static void one(const char *name, const int *tokens, int n, const int *merges, int n_merges)
{
    ex_case(name);
    ex_ints("merges", merges, 3 * n_merges);
    int *token = ex_inout_ints("token", tokens, n); /* exact */
    int left = merge_once(token, n, merges, n_merges);
    for (int i = left < 0 ? 0 : left; i < n; i++) {
        token[i] = -1; /* what lies behind the text does not matter */
    }
    ex_result_int("n", left);
    ex_end();
}

void exercise_cases(void)
{
    static const int merges[] = {2, 3, 10, 1, 2, 11, 1, 10, 12, 5, 5, 6, 10, 4, 13};
    one("the example", (const int[]){1, 2, 3}, 3, merges, 2);
    one("the next step of it", (const int[]){1, 10}, 2, merges, 5);
    one("the better pair is the left one", (const int[]){2, 3, 1, 2}, 4, merges, 5);
    one("the same pair twice", (const int[]){2, 3, 9, 2, 3}, 5, merges, 5);
    one("three alike", (const int[]){5, 5, 5}, 3, merges, 5);
    static const int not_ascending[] = {1, 2, 11, 2, 3, 10};
    one("what they become does not ascend", (const int[]){1, 2, 3}, 3, not_ascending, 2);
    one("no pair can be joined", (const int[]){3, 2, 1}, 3, merges, 5);
    one("the order within a pair counts", (const int[]){3, 2, 5, 5, 9}, 5, merges, 5);
    one("one token", (const int[]){1}, 1, merges, 5);
    one("no merges", (const int[]){1, 2}, 2, merges, 0);
}
