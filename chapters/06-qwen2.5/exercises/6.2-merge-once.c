/* Exercise 6.2: one merge of byte pair encoding
 *
 * A list of merges says which two neighbours join into which token. The rank of a merge is its place in the list; the
 * lowest rank that the text offers goes first, and of equal pairs the leftmost. Joins one pair and gives the new number of
 * tokens: n - 1, or n when no pair can be joined.
 *
 * token     [n], in place; what follows the joined pair moves up by one
 * merges    [n_merges, 3], row-major: left, right, what they become
 * n, n_merges   0 or more
 *
 * By hand: token = {1, 2, 3}, merges = {{2, 3, 10}, {1, 2, 11}}. Both pairs have a merge. (2, 3) has rank 0 and goes
 * first: token = {1, 10}, and 2 is returned.
 *
 * Check it with:  make exercise EX=6.2 */
#include <string.h>

#include "exercises.h"

int merge_once(int *token, int n, const int *merges, int n_merges)
{
    EXERCISE_TODO("the pair of the lowest rank, the leftmost of equal ones");
}
