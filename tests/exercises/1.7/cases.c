#include <math.h>

#include "child.h"
#include "exercises.h"

/* Whole numbers, and an angle of which two digits are enough. */
void exercise_cases(void)
{
    ex_case("d_model 8, base 10000");
    ex_ints("trained_on", (const int[]){512, 2048, 1000, 100000}, 4);
    double *pairs = ex_out_doubles("answer[0..3]", 4, 1e-6, 0);
    double *angle = ex_out_doubles("answer[4]", 1, 0, 0.02);
    double answer[5] = {NAN, NAN, NAN, NAN, NAN};
    predict_unseen(answer);
    for (int i = 0; i < 4; i++) {
        pairs[i] = answer[i];
    }
    *angle = answer[4];
    ex_end();
}
