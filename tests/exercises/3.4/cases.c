#include "child.h"
#include "exercises.h"

/* Two products and a sum in float32, in either order or fused: each within 1e-6 of elements of order 1. */
static void one(const char *name, const float *x, int n_heads, int head_dim, const float *cosine, const float *sine)
{
    ex_case(name);
    ex_int("n_heads", n_heads);
    ex_int("head_dim", head_dim);
    ex_floats("cosine", cosine, head_dim / 2);
    ex_floats("sine", sine, head_dim / 2);
    float *inout = ex_inout_floats("x", x, n_heads * head_dim, 1e-5, 1e-5);
    turn_half(inout, n_heads, head_dim, cosine, sine);
    ex_end();
}

void exercise_cases(void)
{
    one("the example", (float[]){1, 2, 3, 4}, 1, 4, (float[]){0.6f, 0}, (float[]){0.8f, 1});
    /* position 1, theta 10000: -1.984110649 1.959900667 2.462377902 4.019799668 */
    one("position 1 with theta 10000", (float[]){1, 2, 3, 4}, 1, 4, (float[]){0.5403023059f, 0.9999500004f},
        (float[]){0.8414709848f, 0.0099998333f});
    one("one pair: head_dim 2, three heads", (float[]){1, 0, 0, 1, -3, 4}, 3, 2, (float[]){-0.28f}, (float[]){0.96f});
    one("position 0: nothing turns", (float[]){1, -2, 3, 4, 5, -6}, 1, 6, (float[]){1, 1, 1}, (float[]){0, 0, 0});
    one("two heads of three pairs", (float[]){1, 2, 3, 4, 5, 6, -6, 5, -4, 3, -2, 1}, 2, 6, (float[]){0.6f, -0.8f, 0.28f},
        (float[]){0.8f, 0.6f, -0.96f});
    one("huge, tiny and zero", (float[]){1e30f, 1e-20f, 0, 0}, 1, 4, (float[]){0.6f, 0.8f}, (float[]){0.8f, 0.6f});
}
