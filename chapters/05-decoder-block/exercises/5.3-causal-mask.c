/* Exercise 5.3: causal mask with a cache before it
 *
 * n_cached tokens of a sequence are in the cache already. n_new more go through the model together; their keys are
 * put behind those in the cache. Each new token may see all that came before it, and itself:
 *
 *     visible[query][key] = 1 when new token `query` may see key `key`, else 0
 *
 * visible    [n_new, n_cached + n_new], row-major, yours to fill; key 0 is the first token in the cache
 * n_new      at least 1
 * n_cached   0 or more
 *
 * By hand: 2 new tokens behind 2 in the cache, 4 keys. The first new token is token 2 of the sequence and sees
 * 0, 1, 2; the second sees all four. So visible = {1, 1, 1, 0,
 *                                                  1, 1, 1, 1}.
 *
 * Check it with:  make exercise EX=5.3 */
#include "exercises.h"

void causal_mask(int *visible, int n_new, int n_cached)
{
    EXERCISE_TODO("each new token sees what came before it, and itself");
}
