/* exercises.h: the functions of chapter 6's exercises. Plain arrays; token ids are int, from 0.
 * Each is written in its own file beside this one; make exercise EX=6.1 builds and checks it. */
#ifndef CHAPTER6_EXERCISES_H
#define CHAPTER6_EXERCISES_H

#include <stdint.h>

#include "../../exercise.h"

void widen_bfloat16(float *out, const uint16_t *bits, int n); /* 6.1 */

int merge_once(int *token, int n, const int *merges, int n_merges); /* 6.2 */

void cut_to_top_p(double *out, const double *probability, int n, double top_p); /* 6.3 */

void penalize_repeats(float *logits, int vocab_size, const int *history, int n_history,
                      double penalty); /* 6.4 */

int byte_range(uint64_t *range, const uint64_t *shape, int n_dims, uint64_t element_size, uint64_t begin,
               uint64_t end, uint64_t header_size, uint64_t file_size); /* 6.5 */

void logits_of_row(double *logit, const double *hidden, int row, const double *embedding,
                   const double *lm_head, int tied, int vocab_size, int d_model); /* 6.6 */

enum stop_reason { STOP_REFUSED, STOP_END, STOP_LENGTH, STOP_FULL }; /* 6.7 */

int tokens_until_stop(int *reason, const int *drawn, int n_prompt, int max_new, int capacity,
                      const int *end_ids, int n_end_ids); /* 6.7 */

uint16_t round_to_bfloat16(float x); /* 6.8 */

void predict_model(double *answer); /* 6.9 */

int printable_bytes(const uint8_t *text, int n); /* 6.10 */

void name_the_fault(int *fault); /* 6.11 */

#endif
