/* Exercise 4.9: debug: a fused matrix
 *
 * SwiGLU's hidden layer from a fused matrix: rows 0 .. d_ff-1 of w are W_gate, the next d_ff rows are W_up.
 *
 *     hidden[h] = SiLU(gate[h]) * up[h]        gate = W_gate x, up = W_up x
 *
 * hidden   [d_ff]
 * x        [d_model]
 * w        [2 d_ff, d_model], row-major; d_ff is not below d_model
 *
 * By hand: d_model 1, d_ff 2, x = {1}, w = {ln 3, 0,  4, 5}. gate = {1.0986, 0}, up = {4, 5}.
 * hidden = {1.0986 * 0.75 * 4, 0 * 5} = {3.2958, 0}.
 *
 * The code below passed its author's test, which had d_model 2 and d_ff 2. It has one fault.
 *
 * Check it with:  make exercise EX=4.9 */
#include <math.h>

#include "exercises.h"

void hidden_from_fused(double *hidden, const double *x, const double *w, int d_model, int d_ff)
{
    EXERCISE_TODO("find the fault, fix it, then delete this line");
    const double *w_gate = w;
    const double *w_up = w + d_model * d_model;
    for (int h = 0; h < d_ff; h++) {
        double gate = 0;
        double up = 0;
        for (int i = 0; i < d_model; i++) {
            gate += w_gate[h * d_model + i] * x[i];
            up += w_up[h * d_model + i] * x[i];
        }
        hidden[h] = gate / (1 + exp(-gate)) * up;
    }
}
