#include "child.h"
#include "exercises.h"

/* A count: exact. 11008 is LLaMA 7B's (Touvron et al. 2023); 16, 43 and 2432 are what step 6 prints. */
static void one(const char *name, int d_model, int expansion, int multiple)
{
    ex_case(name);
    ex_int("d_model", d_model);
    ex_int("expansion", expansion);
    ex_int("multiple", multiple);
    ex_result_int("d_ff", equal_width(d_model, expansion, multiple));
    ex_end();
}

void exercise_cases(void)
{
    one("the example", 6, 4, 1);
    one("the example, a multiple of 5", 6, 4, 5);
    one("the example, already a multiple of 8", 6, 4, 8);
    one("LLaMA 7B: a multiple of 256", 4096, 4, 256);
    one("Qwen2.5-0.5B's d_model, a multiple of 128", 896, 4, 128);
    one("not a whole number: 64 * 2/3", 8, 8, 1);
    one("a fraction above a multiple", 1, 4, 2);
    one("the smallest layer", 1, 1, 1);
    one("a multiple larger than the layer", 2, 4, 64);
    one("a fraction below a half", 5, 1, 1);
    one("large", 125000, 8, 1000);
}
