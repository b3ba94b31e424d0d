#include "child.h"
#include "exercises.h"

enum { MAX_ELEMENTS = 40 };

/* Copies: exact. One token alone hides what is wrong between the rows, so it never stands alone. */
static void one(const char *name, const float *fused, int n_tokens, int d_ff)
{
    ex_case(name);
    ex_int("n_tokens", n_tokens);
    ex_int("d_ff", d_ff);
    ex_floats("fused", fused, n_tokens * 2 * d_ff);
    float *gate = ex_out_floats("gate", n_tokens * d_ff, 0, 0);
    float *up = ex_out_floats("up", n_tokens * d_ff, 0, 0);
    split_gate_up(gate, up, fused, n_tokens, d_ff);
    ex_end();
}

void exercise_cases(void)
{
    float fused[MAX_ELEMENTS];
    for (int i = 0; i < MAX_ELEMENTS; i++) {
        fused[i] = (float)(i + 1);
    }
    one("the example: two tokens, d_ff 2", fused, 2, 2);
    one("one token: decode", fused, 1, 3);
    one("d_ff 1: gate and up alternate", fused, 4, 1);
    for (int i = 0; i < MAX_ELEMENTS; i++) {
        fused[i] = (float)(i % 2 == 0 ? -i : 3 * i) / 4;
    }
    one("three tokens, odd d_ff", fused, 3, 5);
}
