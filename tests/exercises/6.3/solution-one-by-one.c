#include "exercises.h"

/* Takes the likeliest that is left until it is enough. In float32. */
void cut_to_top_p(double *out, const double *probability, int n, double top_p)
{
    float sum = 0;
    for (int i = 0; i < n; i++) {
        out[i] = 0;
    }
    while (sum < (float)top_p) {
        int best = -1;
        for (int i = 0; i < n; i++) {
            if (out[i] == 0 && probability[i] > 0 && (best < 0 || probability[i] > probability[best])) {
                best = i;
            }
        }
        if (best < 0) {
            break;
        }
        out[best] = probability[best];
        sum += (float)probability[best];
    }
    for (int i = 0; i < n; i++) {
        out[i] = (float)out[i] / sum;
    }
}
