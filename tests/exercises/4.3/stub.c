/* Exercise 4.3: SwiGLU
 *
 * The gated layer of Qwen2.5 and LLaMA, for one token:
 *
 *     y = W_down ( SiLU(W_gate x) * (W_up x) )        * is element by element, SiLU(a) = a / (1 + e^-a)
 *
 * y, x           [d_model]; y is not x
 * w_gate, w_up   [d_ff, d_model], row-major
 * w_down         [d_model, d_ff], row-major
 *
 * There are no biases. d_ff can be as large as it likes: do not store the hidden layer, add each channel's share to y.
 *
 * By hand: d_model 2, d_ff 1, x = {-1, 2}, w_gate = {1, 0}, w_up = {0, 1}, w_down = {1, 10}.
 * gate = -1, up = 2. SiLU(-1) = -1 / (1 + e) = -0.26894, times 2 = -0.53788. So y = {-0.53788, -5.3788}.
 *
 * Check it with:  make exercise EX=4.3 */
#include <math.h>

#include "exercises.h"

void gated_layer(double *y, const double *x, const double *w_gate, const double *w_up, const double *w_down,
                 int d_model, int d_ff)
{
    EXERCISE_TODO("for each channel: gate, up, their product, its share of y");
}
