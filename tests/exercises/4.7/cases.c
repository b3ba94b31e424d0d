#include "child.h"
#include "exercises.h"

/* Numbers of a prediction: a hundredth, as the exercise says, and half a percent of the large one. */
void exercise_cases(void)
{
    ex_case("the program in the comment");
    ex_doubles("gate", (const double[]){0, -1, 20, -20, 1}, 5);
    ex_doubles("up", (const double[]){3, 3, 3, 3, -3}, 5);
    double *answer = ex_out_doubles("answer", 5, 0.01, 0.005);
    predict_gate(answer);
    ex_end();
}
