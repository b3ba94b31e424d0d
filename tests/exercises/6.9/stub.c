/* Exercise 6.9: predict the size of a model
 *
 * The bundled model has 6 layers of width 192, a vocabulary of 2048, 6 query heads and 2 KV heads of width 32, an FFN
 * (SwiGLU) of width 512; Q, K and V have biases, the head is tied, the file holds bfloat16. The cache is float32.
 *
 *     ./chapter6 --prompt "Once upon a time"
 *
 * Do not run it yet: write down what it prints. The prompt becomes 4 tokens. Then run it and compare.
 *
 *     answer[0]  heading: parameters
 *     answer[1]  step 2: rows of what the head gives
 *     answer[2]  step 2: MB of weights that a new token reads (MB = 1000000 bytes), to one decimal
 *     answer[3]  step 2: bytes that a token adds to the KV cache
 *
 * By hand, a part of it: W_q and its bias are 192 * 192 + 192 = 37056 parameters a layer, W_k and its bias
 * 64 * 192 + 64 = 12352. Each layer has two norms, and one more follows the last layer.
 *
 * Check it with:  make exercise EX=6.9 */
#include "exercises.h"

void predict_model(double *answer)
{
    EXERCISE_TODO("four numbers");
    answer[0] = 0;
    answer[1] = 0;
    answer[2] = 0;
    answer[3] = 0;
}
