#include "common/adam.h"

#include <math.h>
#include <string.h>

#include "common/require.h"

void adam_init(struct adam *adam, double learning_rate, double *moments, size_t n)
{
    REQUIRE(n > 0 && learning_rate > 0);
    *adam = (struct adam){learning_rate, 0.9, 0.999, 1e-8, n, moments, moments + n, 0};
    memset(moments, 0, 2 * n * sizeof *moments);
}

void adam_step(struct adam *adam, double *parameters, const double *gradients)
{
    adam->t++;
    double m_correction = 1 - pow(adam->beta1, adam->t);
    double v_correction = 1 - pow(adam->beta2, adam->t);
    for (size_t i = 0; i < adam->n; i++) {
        double g = gradients[i];
        adam->m[i] = adam->beta1 * adam->m[i] + (1 - adam->beta1) * g;
        adam->v[i] = adam->beta2 * adam->v[i] + (1 - adam->beta2) * g * g;
        double m_hat = adam->m[i] / m_correction;
        double v_hat = adam->v[i] / v_correction;
        parameters[i] -= adam->learning_rate * m_hat / (sqrt(v_hat) + adam->epsilon);
    }
}
