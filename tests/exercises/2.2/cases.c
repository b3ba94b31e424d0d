#include <math.h>

#include "child.h"
#include "exercises.h"

/* 0.01 radian: three digits by hand. */
void exercise_cases(void)
{
    ex_case("theta 0.5, m 7, n 3");
    ex_real("theta", 0.5);
    ex_int("m", 7);
    ex_int("n", 3);
    double *sent = ex_out_doubles("answer", 5, 0.01, 0);
    double answer[5] = {NAN, NAN, NAN, NAN, NAN};
    predict_angles(answer);
    for (int i = 0; i < 5; i++) {
        sent[i] = answer[i];
    }
    ex_end();
}
