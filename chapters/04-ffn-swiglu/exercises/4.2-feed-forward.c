/* Exercise 4.2: the feed-forward layer
 *
 * The first Transformer's layer, for every token by itself:
 *
 *     hidden = ReLU(W_up x + b_up)         ReLU(a) = max(0, a)
 *     y      = W_down hidden + b_down
 *
 * y, x      [n_tokens, d_model], row-major; y is not x
 * w_up      [d_ff, d_model]: row h holds the weights of hidden channel h
 * b_up      [d_ff]
 * w_down    [d_model, d_ff]
 * b_down    [d_model]
 * hidden    [d_ff], room for one token's hidden layer; what you leave in it does not matter
 *
 * By hand: d_model 2, d_ff 3, one token x = {1, 2}. w_up = {1, 0,  0, 1,  -1, -1}, b_up = {0, 1, 1}:
 * W_up x + b_up = {1, 3, -2}, so hidden = {1, 3, 0}. w_down = {1, 1, 1,  2, 0, 5}, b_down = {10, 20}:
 * y = {1 + 3 + 0 + 10, 2 + 0 + 0 + 20} = {14, 22}.
 *
 * Check it with:  make exercise EX=4.2 */
#include "exercises.h"

void feed_forward(double *y, const double *x, const double *w_up, const double *b_up, const double *w_down,
                  const double *b_down, int n_tokens, int d_model, int d_ff, double *hidden)
{
    EXERCISE_TODO("for each token: the hidden layer, then the output");
}
