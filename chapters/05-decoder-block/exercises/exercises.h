/* exercises.h: the functions of chapter 5's exercises. Plain arrays, row-major; tokens, slots and heads from 0.
 * Each is written in its own file beside this one; make exercise EX=5.1 builds and checks it. */
#ifndef CHAPTER5_EXERCISES_H
#define CHAPTER5_EXERCISES_H

#include "../../exercise.h"

/* 5.1 */
void scale_by_rms(double *out, const double *x, const double *weight, int n, double eps);

/* 5.2 */
void masked_softmax(double *weight, const double *score, const int *visible, int n);

/* 5.3 */
void causal_mask(int *visible, int n_new, int n_cached);

/* 5.4 */
int kv_head_of(int query_head, int n_heads, int n_kv_heads);

/* 5.5 */
void attend_to_cache(double *out, const double *q, const double *keys, const double *values, int kv_head,
                     int capacity, int n_used, int head_dim);

/* 5.6: one part of a block, from n numbers to n numbers. out may be in. */
typedef void (*part_function)(double *out, const double *in, int n);

void pre_norm_block(double *out, const double *x, int n, part_function attention_norm,
                    part_function attention, part_function ffn_norm, part_function ffn, double *scratch);

/* 5.7 */
void predict_block(double *answer);

/* 5.8 */
void decode_scores(double *score, double *keys, int *n_used, const double *q, const double *k);

#endif
