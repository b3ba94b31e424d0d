/* Exercise 4.6: the gradient of SwiGLU by its gate
 *
 * In the hidden layer hidden[i] = SiLU(gate[i]) * up[i]. Given how fast the loss changes with each hidden[i], say how
 * fast it changes with each gate[i]:
 *
 *     grad_gate[i] = grad_hidden[i] * up[i] * SiLU'(gate[i])
 *     SiLU(a)      = a * s(a),   s(a) = 1 / (1 + e^-a),   s'(a) = s(a) * (1 - s(a))
 *
 * SiLU' is for you to derive: a product, so its slope has two parts.
 *
 * grad_gate, grad_hidden, gate, up   [n]; gates can be hundreds above or below 0
 *
 * By hand: gate = ln 3 = 1.0986, up = 2, grad_hidden = 4. s = 0.75, s' = 0.75 * 0.25 = 0.1875.
 * SiLU'(gate) = 0.75 + 1.0986 * 0.1875 = 0.95599, so grad_gate = 4 * 2 * 0.95599 = 7.6479.
 *
 * Check it with:  make exercise EX=4.6 */
#include <math.h>

#include "exercises.h"

void gate_gradient(double *grad_gate, const double *grad_hidden, const double *gate, const double *up, int n)
{
    EXERCISE_TODO("the chain rule through SiLU");
}
