/* Exercise 6.7: when to stop
 *
 * A prompt goes into a cache with room for `capacity` tokens. Then the model draws ids: drawn[0] from what the prompt
 * gave; drawn[1] after drawn[0] went into the cache behind the prompt; and so on. Each one drawn is reported to the
 * caller, unless it is an end token. Return how many are reported, and set *reason:
 *
 *     STOP_REFUSED   nothing is drawn: the prompt is empty, or longer than the cache
 *     STOP_END       an end token was drawn; it is not reported
 *     STOP_LENGTH    max_new tokens are reported
 *     STOP_FULL      the last token reported finds no room in the cache, so there can be no next one
 *
 * Where STOP_LENGTH and STOP_FULL both hold, say STOP_LENGTH. With max_new 0 nothing is drawn: STOP_LENGTH.
 *
 * drawn      [max_new]
 * end_ids    [n_end_ids]; a model can have several, or none
 *
 * By hand: capacity 8, a prompt of 6, max_new 10, no end token drawn. drawn[0] is reported and takes the 7th place,
 * drawn[1] the 8th. drawn[2] is reported too and finds no place: return 3, STOP_FULL.
 *
 * Check it with:  make exercise EX=6.7 */
#include "exercises.h"

int tokens_until_stop(int *reason, const int *drawn, int n_prompt, int max_new, int capacity,
                      const int *end_ids, int n_end_ids)
{
    EXERCISE_TODO("draw until there is a reason to stop");
}
