/* train.h: the layers of ffn.h in float64, small enough to be read, with the gradients that let them learn.
 * Introduced in chapter 4.
 *
 *     without a gate    hidden = act(W_up x + b_up)
 *     with a gate       hidden = act(W_gate x + b_gate) * (W_up x + b_up)         * element by element
 *                       out    = W_down hidden + b_down
 *                       loss   = mean over all elements of (out - target)^2
 *
 * All parameters of a layer stand in one array: W_gate, b_gate, W_up, b_up, W_down, b_down, without those that the
 * layer does not have. Gradients have the same order, so an optimiser and a check by finite differences are plain
 * loops over one array. */
#ifndef COMMON_TRAIN_H
#define COMMON_TRAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "common/activation.h"
#include "common/rng.h"

struct train_layer {
    enum activation activation;
    bool gated;
    bool biased; /* all biases, or none */
    int d_in, d_ff, d_out;
};

/* Where each matrix starts in the array of parameters or gradients; NULL: the layer has none. */
struct train_view {
    double *w_gate; /* [d_ff, d_in] */
    double *b_gate; /* [d_ff] */
    double *w_up;   /* [d_ff, d_in] */
    double *b_up;   /* [d_ff] */
    double *w_down; /* [d_out, d_ff] */
    double *b_down; /* [d_out] */
};

size_t train_n_parameters(const struct train_layer *layer);
struct train_view train_view_of(const struct train_layer *layer, double *parameters);

/* Matrices: normal with variance 1 / (number of inputs), so that a layer neither grows nor shrinks what it is given.
 * Biases: 0. */
void train_init(const struct train_layer *layer, double *parameters, struct rng *rng);

/* Number of doubles that the functions below need as scratch: n_samples * (5 d_ff + d_out). */
size_t train_scratch_size(const struct train_layer *layer, int n_samples);

/* out      [n_samples, d_out]
 * x        [n_samples, d_in] */
void train_forward(double *out, const struct train_layer *layer, const double *parameters, const double *x,
                   int n_samples, double *scratch);

/* The loss alone. target [n_samples, d_out]. requires n_samples > 0 */
double train_loss(const struct train_layer *layer, const double *parameters, const double *x,
                  const double *target, int n_samples, double *scratch);

/* The loss, and its derivative by every parameter (backpropagation: the chain rule from the loss to the input).
 *
 *     d_out    = 2 (out - target) / (n_samples d_out)
 *     d_hidden = W_down^T d_out
 *     d_up     = d_hidden * act(gate)              without a gate: d_hidden * act'(up)
 *     d_gate   = d_hidden * up * act'(gate)
 *     each dW  = sum over samples of (d_y)(x)^T    x: the input of that matrix, d_y: the gradient of its output
 *
 * gradients [train_n_parameters], overwritten */
double train_gradients(double *gradients, const struct train_layer *layer, const double *parameters,
                       const double *x, const double *target, int n_samples, double *scratch);

/* The largest difference between train_gradients and the central differences
 * (loss(p + h) - loss(p - h)) / (2 h), over all parameters, divided by the largest gradient.
 *
 * parameters  changed and put back
 * gradients   [train_n_parameters], gets train_gradients' */
double train_check_gradients(double *gradients, const struct train_layer *layer, double *parameters,
                             const double *x, const double *target, int n_samples, double *scratch);

#endif
