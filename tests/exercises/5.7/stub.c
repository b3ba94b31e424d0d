/* Exercise 5.7: predict what the block costs
 *
 *     ./chapter5 --d-model 96 --n-heads 6 --n-kv-heads 3 --seq-len 10
 *
 * Do not run it yet: write down what it prints. A float32 has 4 bytes. Then run it and compare.
 *
 *     answer[0]  step 1: elements in one token's row of k_proj
 *     answer[1]  step 8: bytes a token in the cache, this block (grouped)
 *     answer[2]  step 8: the same for multi-query
 *     answer[3]  step 9: passes of one token that 10 tokens would have cost without a cache, each from the start
 *     answer[4]  step 7: the weight that token 3 gives to token 0, all words alike and nothing rotated
 *
 * By hand, for the values that it has without options (d_model 64, 4 heads, 2 KV heads): head_dim is 64 / 4 = 16, and a
 * row of k_proj is 2 heads of 16, 32 elements.
 *
 * Check it with:  make exercise EX=5.7 */
#include "exercises.h"

void predict_block(double *answer)
{
    EXERCISE_TODO("five numbers");
    answer[0] = 0;
    answer[1] = 0;
    answer[2] = 0;
    answer[3] = 0;
    answer[4] = 0;
}
