/* adam.h: the optimiser that turns gradients into steps.
 * Introduced in chapter 4. Kingma and Ba 2015, algorithm 1; as torch.optim.Adam without weight decay.
 *
 *     m = beta1 m + (1 - beta1) g            the running mean of the gradient
 *     v = beta2 v + (1 - beta2) g^2          the running mean of its square
 *     p = p - learning_rate * m_hat / (sqrt(v_hat) + epsilon)
 *     m_hat = m / (1 - beta1^t), v_hat = v / (1 - beta2^t)      both start at 0: this takes the bias of the start out
 *
 * The step of every parameter has about the size of the learning rate, whatever the size of its gradient. */
#ifndef COMMON_ADAM_H
#define COMMON_ADAM_H

#include <stddef.h>

struct adam {
    double learning_rate, beta1, beta2, epsilon;
    size_t n;
    double *m, *v; /* borrowed, [n] each */
    int t;         /* steps made */
};

/* beta1 0.9, beta2 0.999, epsilon 1e-8.
 *
 * moments  [2 * n], the caller's memory, set to 0 here */
void adam_init(struct adam *adam, double learning_rate, double *moments, size_t n);

/* One step; parameters and gradients [n]. */
void adam_step(struct adam *adam, double *parameters, const double *gradients);

#endif
