#include <math.h>
#include <stddef.h>

#include "child.h"
#include "exercises.h"

/* One division or product, rounded to float32 once or twice: 2e-7 of the value; 1e-6 lets pass 1 / penalty as a factor. */
static void one(const char *name, const float *logits, int vocab_size, const int *history, int n_history,
                double penalty)
{
    ex_case(name);
    ex_ints("history", history, n_history);
    ex_real("penalty", penalty);
    float *changed = ex_inout_floats("logits", logits, vocab_size, 0, 1e-6);
    penalize_repeats(changed, vocab_size, history, n_history, penalty);
    ex_end();
}

void exercise_cases(void)
{
    static const float logits[] = {3.5F, -0.25F, 0, 1.25F, -4, 0.5F, 12};
    /* 1.3333333, -3, 1: as transformers gives */
    one("the example", (const float[]){2, -2, 1}, 3, (const int[]){0, 1, 1}, 3, 1.5);
    one("the same token all over", logits, 7, (const int[]){3, 3, 3, 3, 3}, 5, 1.2);
    one("the same token again after another", (const float[]){2, -2, 1}, 3, (const int[]){1, 0, 1}, 3, 2);
    one("negative, zero, and a large logit", logits, 7, (const int[]){4, 2, 6, 1}, 4, 1.1);
    one("ids outside the vocabulary", logits, 7, (const int[]){7, 0, -1, 151935, 5}, 5, 2);
    one("no history", logits, 7, NULL, 0, 1.3);
    one("a penalty below 1 rewards", logits, 7, (const int[]){0, 4}, 2, 0.5);
    one("a token that may not be drawn", (const float[]){-INFINITY, 1, 2}, 3, (const int[]){0, 2}, 2, 1.5);
}
