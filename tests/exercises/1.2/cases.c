#include <math.h>

#include "child.h"
#include "exercises.h"

/* 0.5 %: three digits by hand. tests/expected/chapter1.txt and the program hold what is printed. */
void exercise_cases(void)
{
    ex_case("d_model 8, base 10000");
    ex_text("turns", "one turn every … positions: pair 0, 1, 2");
    double *turns = ex_out_doubles("answer[0..2]", 3, 0, 5e-3);
    double *frequency = ex_out_doubles("answer[3]", 1, 0, 5e-3);
    double *product = ex_out_doubles("answer[4]", 1, 0, 5e-3);
    double answer[5] = {NAN, NAN, NAN, NAN, NAN};
    predict_waves(answer);
    for (int i = 0; i < 3; i++) {
        turns[i] = answer[i];
    }
    *frequency = answer[3];
    *product = answer[4];
    ex_end();
}
