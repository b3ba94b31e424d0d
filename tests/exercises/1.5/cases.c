#include "child.h"
#include "exercises.h"

/* x counts 1, 2, 3, …, row s of the encoding holds 10 (s + 1) + j / 8: sums that can be checked by eye and are exact in
 * float32. The tolerance lets another rounding pass. */
static void one(const char *name, int seq_len, int batch, int d_model, float first)
{
    float x[36];
    float encoding[12 * 5];
    for (int i = 0; i < seq_len * batch * d_model; i++) {
        x[i] = first + (float)i;
    }
    for (int i = 0; i < 12 * d_model; i++) {
        encoding[i] = 10.0f * (float)(i / d_model + 1) + (float)(i % d_model) / 8;
    }
    ex_case(name);
    ex_int("seq_len", seq_len);
    ex_int("batch", batch);
    ex_int("d_model", d_model);
    ex_floats("encoding", encoding, 12 * d_model);
    float *inout = ex_inout_floats("x", x, seq_len * batch * d_model, 0, 1e-6);
    add_encoding(inout, encoding, seq_len, batch, d_model);
    ex_end();
}

void exercise_cases(void)
{
    one("two sequences of two tokens, d_model 1", 2, 2, 1, 1);
    one("three tokens, two sequences, d_model 2", 3, 2, 2, 1);
    one("two tokens, three sequences, d_model 3", 2, 3, 3, -9);
    one("one sequence", 4, 1, 2, 1);
    one("one token in each of three sequences", 1, 3, 2, 1);
    one("large values", 2, 2, 5, 1e6f);
}
