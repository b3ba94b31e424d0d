/* attention_blocked.h: causal attention for inference, by blocks of tokens and keys.
 * Introduced in chapter 5. Read attention.c first: this gives the same within rounding, several times faster.
 *
 * The softmax is taken on the way ("online": Milakov and Gimelshein 2018, arXiv 1805.02867; for attention Rabe and Staats
 * 2021, Dao et al. 2022): with m the largest score so far, l the sum of e^(score - m) and o the sum of e^(score - m) v,
 * a block of scores with the largest M changes them to
 *
 *     m' = max(m, M)      l' = l e^(m - m') + sum e^(score - m')      o' = o e^(m - m') + sum e^(score - m') v
 *
 * and in the end out = o / l. So scores never need more memory than one block of them, however long the text.
 *
 *                        keys
 *               0        512       1024 1072
 *               +---------+---------+----+
 *     tokens    |  tile   |  tile   |tile|\         tokens 1072 to 1087, seven query heads of one key head each: 112 rows
 *  1072..1087   | product | product |    | \        that share every key and value
 *               +---------+---------+----+--\       the triangle: token by token
 *
 * Blocks begin at fixed slots, so a token's result depends on the batch in which it came by rounding only: where a block
 * has one token, its scores are summed in another order.
 *
 * One token has as many blocks as there are key/value heads: fewer, perhaps, than threads. So the keys of a batch of few
 * tokens are cut into parts, each a task with m, l and o of its own ("Flash-Decoding": Dao et al. 2023), which merge in their
 * order by the same formulas. The cuts lie at fixed slots too: the number of threads changes nothing. */
#ifndef COMMON_ATTENTION_BLOCKED_H
#define COMMON_ATTENTION_BLOCKED_H

#include "common/kv_cache.h"

/* As attention_forward without mask, weights and dropout. scratch [attention_blocked_scratch_size]. */
void attention_blocked(float *out, const float *q, const struct batch *batch, int layer, int n_heads,
                       float *scratch);
size_t attention_blocked_scratch_size(const struct batch *batch, int n_heads);

#endif
