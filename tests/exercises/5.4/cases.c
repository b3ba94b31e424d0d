#include "child.h"
#include "exercises.h"

static void one(const char *name, int n_heads, int n_kv_heads)
{
    ex_case(name);
    ex_int("n_heads", n_heads);
    ex_int("n_kv_heads", n_kv_heads);
    int *kv_head = ex_out_ints("kv_head", n_heads); /* exact; element h is the answer for query head h */
    for (int head = 0; head < n_heads; head++) {
        kv_head[head] = kv_head_of(head, n_heads, n_kv_heads);
    }
    ex_end();
}

void exercise_cases(void)
{
    one("the example: 4 heads, 2 KV heads", 4, 2);
    one("Qwen2.5-0.5B: 14 heads, 2 KV heads", 14, 2); /* head 6 uses 0, head 7 uses 1 */
    one("Qwen2.5-7B: 28 heads, 4 KV heads", 28, 4);   /* 6 uses 0, 7 uses 1, 27 uses 3 */
    one("multi-head: 5 of each", 5, 5);
    one("multi-query: 6 heads, 1 KV head", 6, 1);
    one("no equal groups: 6 heads, 4 KV heads", 6, 4);
    one("one head", 1, 1);
}
