/* Exercise 4.7: predict: what a gate lets through
 *
 *     double silu(double a) { return a / (1 + exp(-a)); }
 *
 *     int main(void)
 *     {
 *         const double gate[] = {0, -1, 20, -20, 1};
 *         const double up[] = {3, 3, 3, 3, -3};
 *         for (int i = 0; i < 5; i++) {
 *             printf("%.3f\n", silu(gate[i]) * up[i]);
 *         }
 *     }
 *
 * Write down the five numbers that it prints before you run anything. A hundredth off is near enough.
 * e^-1 is 0.368; e^20 is about half a billion.
 *
 * answer[i]  line i, i = 0 .. 4
 *
 * By hand, for a gate of ln 3 and an up of 4: SiLU(ln 3) = 1.0986 / (1 + 1/3) = 0.824, times 4 is 3.296.
 *
 * Check it with:  make exercise EX=4.7 */
#include "exercises.h"

void predict_gate(double *answer)
{
    EXERCISE_TODO("fill in what the program prints");
    answer[0] = 0;
    answer[1] = 0;
    answer[2] = 0;
    answer[3] = 0;
    answer[4] = 0;
}
