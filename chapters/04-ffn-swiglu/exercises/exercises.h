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

#endif
