#include "child.h"
#include "exercises.h"

/* Counts must be right; the ratio is printed with two digits: half of the last one. */
void exercise_cases(void)
{
    ex_case("./chapter4 --step 6 --d-model 10 --d-ff 64");
    ex_int("d_model", 10);
    ex_int("d_ff", 64);
    double *answer = ex_out_doubles("answer", 4, 0.005, 0);
    predict_cost(answer);
    ex_end();
}
