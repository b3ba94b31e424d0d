/* exact.h: the model once more, in float64 and with plain loops only: what rounding is measured against. */
#ifndef CHAPTER6_EXACT_H
#define CHAPTER6_EXACT_H

#include <stdbool.h>

#include "common/qwen2.h"

/* logits [n_tokens, vocab_size] of a text at positions 0, 1, 2, … The weights are those of the file; every activation,
 * angle and sum is float64. rounded: activations are rounded to bfloat16 before each product with a weight matrix, what
 * --precision bf16 asks for, and nothing else.
 * errors: STATUS_NO_MEMORY. requires n_tokens > 0 and ids inside the vocabulary. */
enum status exact_logits(double *logits, const struct qwen2 *model, const int32_t *token, int n_tokens,
                         bool rounded, struct error *error);

#endif
