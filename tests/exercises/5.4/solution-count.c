#include "exercises.h"

/* Counts the groups that end at or before the head. */
int kv_head_of(int query_head, int n_heads, int n_kv_heads)
{
    if (n_heads % n_kv_heads != 0) {
        return -1;
    }
    int kv_head = 0;
    while ((kv_head + 1) * (n_heads / n_kv_heads) <= query_head) {
        kv_head++;
    }
    return kv_head;
}
