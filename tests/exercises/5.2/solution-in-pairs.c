#include <math.h>

#include "exercises.h"

/* weight[i] = 1 / sum_j e^(score[j] - score[i]): no maximum at all. A term that overflows makes the weight 0, as it
 * should be. In float32. */
void masked_softmax(double *weight, const double *score, const int *visible, int n)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = n - 1; j >= 0; j--) {
            if (visible[j]) {
                sum += expf((float)(score[j] - score[i]));
            }
        }
        weight[i] = visible[i] ? 1 / sum : 0;
    }
}
