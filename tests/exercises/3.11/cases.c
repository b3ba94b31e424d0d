#include "child.h"
#include "exercises.h"

/* Two digits after the point: 0.006. */
void exercise_cases(void)
{
    ex_case("score_at with x = {1, 0}, y = {0, 1}, 1 radian a token");
    ex_text("answer[0]", "q = x at 5, k = x at 3");
    ex_text("answer[1]", "q = x at 105, k = x at 103");
    ex_text("answer[2]", "q = x at 3, k = x at 5");
    ex_text("answer[3]", "q = x at 5, k = y at 3");
    ex_text("answer[4]", "q = x at 3, k = y at 5");
    ex_text("answer[5]", "q = x at 7, k = x at 7");
    double *answer = ex_out_doubles("answer", 6, 0.006, 0);
    predict_scores(answer);
    ex_end();
}
