#include "exercises.h"

/* A token is kept when those before it do not reach top_p yet. */
void cut_to_top_p(double *out, const double *probability, int n, double top_p)
{
    double kept = 0;
    for (int i = 0; i < n; i++) {
        double before = 0;
        for (int j = 0; j < n; j++) {
            if (probability[j] > probability[i] || (probability[j] == probability[i] && j < i)) {
                before += probability[j];
            }
        }
        out[i] = before + probability[i] <= top_p ? probability[i] : 0;
        kept += out[i];
    }
    for (int i = 0; i < n; i++) {
        out[i] /= kept;
    }
}
