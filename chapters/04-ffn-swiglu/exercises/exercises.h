/* exercises.h: the functions of chapter 4's exercises. Plain arrays, row-major; a weight matrix is [outputs, inputs].
 * Each is written in its own file beside this one; make exercise EX=4.1 builds and checks it. */
#ifndef CHAPTER4_EXERCISES_H
#define CHAPTER4_EXERCISES_H

#include "../../exercise.h"

void sigmoid_and_silu(double *sigmoid, double *silu, const double *x, int n); /* 4.1 */

void feed_forward(double *y, const double *x, const double *w_up, const double *b_up, const double *w_down,
                  const double *b_down, int n_tokens, int d_model, int d_ff, double *hidden); /* 4.2 */

void gated_layer(double *y, const double *x, const double *w_gate, const double *w_up, const double *w_down,
                 int d_model, int d_ff); /* 4.3 */

void split_gate_up(float *gate, float *up, const float *fused, int n_tokens, int d_ff); /* 4.4 */

int equal_width(int d_model, int expansion, int multiple); /* 4.5 */

void gate_gradient(double *grad_gate, const double *grad_hidden, const double *gate, const double *up,
                   int n); /* 4.6 */

void predict_gate(double *answer); /* 4.7 */

void predict_cost(double *answer); /* 4.8 */

void hidden_from_fused(double *hidden, const double *x, const double *w, int d_model, int d_ff); /* 4.9 */

#endif
