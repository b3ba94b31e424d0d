#include "child.h"
#include "exercises.h"

/* Whole numbers, and 5.5: the program prints one decimal, so 5.51 is let pass too. */
void exercise_cases(void)
{
    ex_case("what the program prints");
    double *answer = ex_out_doubles("answer", 4, 0.05, 0);
    predict_model(answer);
    ex_end();
}
