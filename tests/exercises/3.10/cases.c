#include "child.h"
#include "exercises.h"

/* Three digits: 1 %. The values are those that the program prints. */
void exercise_cases(void)
{
    ex_case("./chapter3 --head-dim 8 --theta 100 --step 1");
    ex_text("answer[0]", "radians a token, pair 2");
    ex_text("answer[1]", "tokens a turn, pair 2");
    ex_text("answer[2]", "turns within 4096 tokens, pair 3");
    ex_text("answer[3]", "the last pair that comes round within 4096 tokens");
    ex_text("answer[4]", "the same for theta 1000000");
    double *answer = ex_out_doubles("answer", 5, 0, 0.01);
    predict_turns(answer);
    ex_end();
}
