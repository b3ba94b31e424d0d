#include <math.h>

#include "exercises.h"

void gate_gradient(double *grad_gate, const double *grad_hidden, const double *gate, const double *up, int n)
{
    for (int i = 0; i < n; i++) {
        double s = 1 / (1 + exp(-gate[i]));
        double slope = s;
        grad_gate[i] = grad_hidden[i] * up[i] * slope;
    }
}
