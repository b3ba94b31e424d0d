#include "child.h"
#include "exercises.h"

/* The program prints whole numbers and 0.25000: 0.001 lets 1/4 be written as it likes. */
void exercise_cases(void)
{
    ex_case("what the program prints");
    double *answer = ex_out_doubles("answer", 5, 1e-3, 0);
    predict_block(answer);
    ex_end();
}
