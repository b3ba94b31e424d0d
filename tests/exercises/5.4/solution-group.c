#include "exercises.h"

int kv_head_of(int query_head, int n_heads, int n_kv_heads)
{
    int group = n_heads / n_kv_heads;
    return group * n_kv_heads == n_heads ? query_head / group : -1;
}
