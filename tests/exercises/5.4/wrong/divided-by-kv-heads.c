#include "exercises.h"

int kv_head_of(int query_head, int n_heads, int n_kv_heads)
{
    return n_heads % n_kv_heads == 0 ? query_head / n_kv_heads : -1;
}
