#include <math.h>

#include "child.h"
#include "exercises.h"

struct cache {
    const double *keys, *values;
    int n_kv_heads, capacity, n_used, head_dim;
};

/* Scores are exact in float32 or small, values at most 10: rounding in float32 stays below 2e-5. */
static void one(const char *name, struct cache c, const double *q, int kv_head)
{
    int n = c.n_kv_heads * c.capacity * c.head_dim;
    ex_case(name);
    ex_doubles("q", q, c.head_dim);
    ex_doubles("keys", c.keys, n);
    ex_doubles("values", c.values, n);
    ex_int("kv_head", kv_head);
    ex_int("capacity", c.capacity);
    ex_int("n_used", c.n_used);
    ex_int("head_dim", c.head_dim);
    double *out = ex_out_doubles("out", c.head_dim, 2e-5, 0);
    attend_to_cache(out, q, c.keys, c.values, kv_head, c.capacity, c.n_used, c.head_dim);
    ex_end();
}

void exercise_cases(void)
{
    static const double example_k[] = {0, 0, 0, 0, 2 * 1.0986122886681098, 0, 0, 0};
    static const double example_v[] = {4, 0, 0, 8, 0, 4, 0, 8};
    static const double count_k[] = {0, 1, 2, 3}, count_v[] = {1, 2, 3, 4};
    static const double hole_k[] = {0, 1, 2, NAN}, hole_v[] = {1, 2, 3, NAN};
    static const double two_k[] = {1, -1, 0, 2, NAN, NAN, -1, 0.5, 1, 1, NAN, NAN};
    static const double two_v[] = {9, 8, 7, 6, NAN, NAN, 1, 2, 3, -4, NAN, NAN};
    static const double far_k[] = {1000, 0, 0, 0, 999, 0, 0, 0, 998, 0, 0, 0};
    static const double below_k[] = {-1000, 0, 0, 0, -1001, 0, 0, 0, -3000, 0, 0, 0};
    static const double unit_v[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    one("the example", (struct cache){example_k, example_v, 1, 2, 2, 4}, (const double[]){1, 1, 0, 0}, 0);
    /* 3.4926527346 over four keys, 2.5752103826 over the first three. */
    one("a cache of numbers, full", (struct cache){count_k, count_v, 1, 4, 4, 1}, (const double[]){1}, 0);
    one("three of four slots in use", (struct cache){hole_k, hole_v, 1, 4, 3, 1}, (const double[]){1}, 0);
    one("the second of two KV heads", (struct cache){two_k, two_v, 2, 3, 2, 2}, (const double[]){1, -2}, 1);
    one("one token only", (struct cache){two_k, two_v, 2, 3, 1, 2}, (const double[]){3, 1}, 0);
    /* Weights .66524096, .24472847, .09003057; then .73105858, .26894142. */
    one("scores near 1000", (struct cache){far_k, unit_v, 1, 3, 3, 4}, (const double[]){2, 0, 0, 0}, 0);
    one("scores near -1000", (struct cache){below_k, unit_v, 1, 3, 3, 4}, (const double[]){2, 0, 0, 0}, 0);
}
