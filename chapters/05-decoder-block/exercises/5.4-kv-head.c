/* Exercise 5.4: query head to KV head
 *
 * A model with grouped heads has fewer key/value heads than query heads. Neighbouring query heads share one, in groups
 * of equal size. Says which one a query head uses; -1 when n_heads is no multiple of n_kv_heads.
 *
 * query_head   0 .. n_heads-1
 * n_heads      1 or more
 * n_kv_heads   1 .. n_heads
 *
 * By hand: 4 query heads, 2 KV heads: groups of 2. Query heads 0 and 1 use KV head 0, query heads 2 and 3 use KV head 1.
 *
 * Check it with:  make exercise EX=5.4 */
#include "exercises.h"

int kv_head_of(int query_head, int n_heads, int n_kv_heads)
{
    EXERCISE_TODO("neighbours share a head");
}
