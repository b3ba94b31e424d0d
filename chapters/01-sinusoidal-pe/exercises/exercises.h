/* exercises.h: the functions of chapter 1's exercises. Plain arrays, row-major; positions from 0; angles in radians.
 * Each is written in its own file beside this one; make exercise EX=1.1 builds and checks it. */
#ifndef CHAPTER1_EXERCISES_H
#define CHAPTER1_EXERCISES_H

#include "../../exercise.h"

void encode_positions(double *rows, const int *positions, int n, int d_model);                  /* 1.1 */
void predict_waves(double *answer);                                                             /* 1.2 */
void four_terms(double *terms, const double *query, const double *key, const double *a, int d); /* 1.3 */
void move_on(double *row, int k, int d_model);                                                  /* 1.4 */
void add_encoding(float *x, const float *encoding, int seq_len, int batch, int d_model);        /* 1.5 */
void drop_out(float *out, const float *x, const float *u, int n, float rate, int training);     /* 1.6 */
void predict_unseen(double *answer);                                                            /* 1.7 */

#endif
