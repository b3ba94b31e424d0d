/* Exercise 5.8: find the fault in the decoded token
 *
 * One new token comes behind those in the cache. It gets the next free slot; its position is the number of that slot.
 * Its key is rotated by its position and stored; its query is rotated and asks every token in the cache, itself included:
 *
 *     score[s] = rotated q . key[s]        s = 0 .. n_used-1, with the new n_used
 *
 * Heads have one pair here (head_dim 2), which turns by 1 radian a position. Stored keys are rotated already.
 *
 * score    [capacity]; only those of the slots in use are written
 * keys     [capacity, 2]; unused slots hold NaN
 * n_used   slots in use: before the call without the new token, after it with it
 * q, k     [2] of the new token, not rotated
 *
 * By hand: an empty cache, q = k = {1, 0}. The token gets slot 0 at position 0, its key is stored as {1, 0},
 * score[0] = 1 and n_used = 1.
 *
 * ONE fault is planted below. What was seen: with an empty cache score[0] is NaN. With 9 tokens in the cache, the tenth
 * key lands in slot 10 and slot 9 stays NaN.
 *
 * Check it with:  make exercise EX=5.8 */
#include <math.h>

#include "exercises.h"

static void rotate(double *out, const double *v, double angle)
{
    out[0] = cos(angle) * v[0] - sin(angle) * v[1];
    out[1] = sin(angle) * v[0] + cos(angle) * v[1];
}

void decode_scores(double *score, double *keys, int *n_used, const double *q, const double *k)
{
    EXERCISE_TODO("find the fault, fix it, then delete this line");
    double rotated_q[2];
    *n_used += 1;
    int position = *n_used;
    rotate(&keys[2 * position], k, position);
    rotate(rotated_q, q, position);
    for (int s = 0; s < *n_used; s++) {
        score[s] = rotated_q[0] * keys[2 * s] + rotated_q[1] * keys[2 * s + 1];
    }
}
