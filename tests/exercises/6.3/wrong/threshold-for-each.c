#include "exercises.h"

/* A token is kept when those before it do not reach top_p yet. */
void cut_to_top_p(double *out, const double *probability, int n, double top_p)
{
    double kept = 0;
    for (int i = 0; i < n; i++) {
        out[i] = probability[i] >= 1 - top_p ? probability[i] : 0;
        kept += out[i];
    }
    for (int i = 0; i < n; i++) {
        out[i] /= kept;
    }
}
