/* exercises.h: the functions of chapter 3's exercises. Plain arrays, row-major; positions from 0; angles in radians.
 * Each is written in its own file beside this one; make exercise EX=3.1 builds and checks it. */
#ifndef CHAPTER3_EXERCISES_H
#define CHAPTER3_EXERCISES_H

#include "../../exercise.h"

/* 3.1 */ void inverse_frequencies(double *frequency, int head_dim, double theta);
/* 3.2 */ void cos_sin_row(float *cosine, float *sine, const double *frequency, int n_pairs, int position);
/* 3.3 */ void rotate_half(double *x, int head_dim);
/* 3.4 */ void turn_half(float *x, int n_heads, int head_dim, const float *cosine, const float *sine);
/* 3.5 */ void turn_interleaved(float *x, const int *position, const double *frequency, int n_tokens,
                                int head_dim);
/* 3.6 */ void permute_to_half(float *new_weight, float *new_bias, const float *weight, const float *bias,
                               int n_heads, int head_dim, int n_columns);
/* 3.7 */ void token_positions(int *position, const int *n_padding, int n_rows, int n_cached, int n_new);
/* 3.8 */ void packed_positions(int *position, const int *start, int n_sequences);
/* 3.9 */ double score_at(const double *q, const double *k, int head_dim, const double *frequency, int m,
                          int n);
/* 3.10 */ void predict_turns(double *answer);
/* 3.11 */ void predict_scores(double *answer);
/* 3.12 */ void score_new_token(double *score, double *cache, const double *q, const double *k, int n_cached,
                                int head_dim, const double *frequency);

#endif
